//! Claims about when an encoder is asked, and what becomes of its answers.

use tokio::time::{Instant, pause};

use super::*;
use crate::ToolIndex;
use crate::index::tests::tool;

/// Knows which topic a word belongs to, in a space of so many figures; may be broken.
struct Topics {
    figures: usize,
    broken: Mutex<Option<String>>,
    asked: Mutex<Vec<Vec<String>>>,
}

const TOPICS: [&[&str]; 3] = [&["umbrella", "weather"], &["money", "invoice"], &["song", "music"]];

#[async_trait]
impl Encoder for Topics {
    async fn encode(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        self.asked.lock().expect("a lock").push(texts.to_vec());
        let broken = self.broken.lock().expect("a lock").clone();
        match broken.as_deref() {
            Some("silent") => std::future::pending().await,
            Some(why) => return Err(why.to_owned()),
            None => {}
        }
        let vector = |text: &String| {
            let mut vector = vec![0.1; self.figures];
            for (figure, words) in vector.iter_mut().zip(TOPICS) {
                *figure += words.iter().filter(|word| text.to_lowercase().contains(*word)).map(|_| 5.0).sum::<f32>();
            }
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }
}

struct Bench {
    index: Arc<ToolIndex>,
    topics: Arc<Topics>,
}

impl Bench {
    fn new() -> Self {
        let topics = Arc::new(Topics { figures: 3, broken: Mutex::default(), asked: Mutex::default() });
        let index = Arc::new(ToolIndex::with_encoder(Arc::clone(&topics) as Arc<dyn Encoder>));
        index.insert(&tool("forecast", "Tells the weather.", &[]));
        index.insert(&tool("billing", "Writes an invoice.", &[]));
        index.insert(&tool("player", "Plays music.", &[]));
        Self { index, topics }
    }

    /// Lets everything be read that is to be read.
    async fn read(&self) {
        let encodings = self.index.encodings();
        tokio::select! {
            () = self.index.keep_reading() => {}
            () = async { while !encodings.tools().is_ready() { tokio::task::yield_now().await } } => {}
        }
    }

    fn breaks(&self, how: Option<&str>) {
        *self.topics.broken.lock().expect("a lock") = how.map(ToOwned::to_owned);
    }

    async fn first(&self, request: &str) -> Option<String> {
        self.index.find(request, 3, 0.0).await.first().map(|found| found.name.clone())
    }
}

#[tokio::test]
async fn what_the_encoder_finds_alike_is_found_without_a_common_word() {
    let bench = Bench::new();
    bench.read().await;

    assert_eq!(bench.first("Shall I take an umbrella?").await.as_deref(), Some("forecast"));
    assert_eq!(bench.first("How much money do they owe us?").await.as_deref(), Some("billing"));
    let found = bench.index.find("Shall I take an umbrella?", 3, 0.3).await;
    assert!(found[0].reasons.iter().any(|reason| reason.starts_with("similar meaning")), "{found:?}");
    assert!(found[0].likeness.whole > 0.9, "{found:?}");
}

#[tokio::test]
async fn until_every_tool_is_read_the_table_is_used_and_nobody_is_asked() {
    let bench = Bench::new();

    assert_eq!(bench.first("the weather").await.as_deref(), Some("forecast"));
    assert!(bench.topics.asked.lock().expect("a lock").is_empty());

    bench.read().await;
    bench.index.insert(&tool("radio", "A song for everybody.", &[]));
    assert_eq!(bench.index.find("weather", 3, 0.0).await, bench.index.search("weather", 3, 0.0));
}

#[tokio::test]
async fn a_tool_that_changed_is_read_again_and_one_that_is_gone_is_not_found() {
    let bench = Bench::new();
    bench.read().await;

    bench.index.insert(&tool("player", "Tells about umbrella and weather.", &[]));
    bench.index.remove("forecast");
    bench.read().await;

    assert_eq!(bench.first("Shall I take an umbrella?").await.as_deref(), Some("player"));
}

#[tokio::test]
async fn a_request_is_asked_about_once_for_all_stages_of_a_turn() {
    let bench = Bench::new();
    bench.read().await;
    let before = bench.topics.asked.lock().expect("a lock").len();

    bench.first("Shall I take an umbrella?").await;
    bench.first("Shall I take an umbrella?").await;

    assert_eq!(bench.topics.asked.lock().expect("a lock").len(), before + 1);
}

#[tokio::test]
async fn an_encoder_that_fails_or_is_silent_leaves_the_search_to_the_table() {
    let bench = Bench::new();
    bench.read().await;
    for broken in ["the server is gone", "silent"] {
        bench.breaks(Some(broken));
        if broken == "silent" {
            pause();
        }
        let begun = Instant::now();
        let request = format!("the weather, {broken}");

        assert_eq!(bench.index.find(&request, 3, 0.0).await, bench.index.search(&request, 3, 0.0));
        assert!(begun.elapsed() <= SEARCH_TIME + Duration::from_millis(10));
    }
}

#[tokio::test(start_paused = true)]
async fn tools_that_cannot_be_read_are_tried_again_later() {
    let bench = Bench::new();
    bench.breaks(Some("it is loading"));
    let is_ready = || bench.index.encodings().tools().is_ready();
    let waiting = async {
        sleep(Duration::from_secs(10)).await;
        assert!(!is_ready());
        bench.breaks(None);
        while !is_ready() {
            sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::select! {
        () = bench.index.keep_reading() => {}
        () = waiting => {}
    }
    assert_eq!(bench.first("an umbrella").await.as_deref(), Some("forecast"));
}

#[tokio::test]
async fn vectors_that_make_no_sense_are_refused() {
    struct Wrong(Vec<Vec<f32>>);
    #[async_trait]
    impl Encoder for Wrong {
        async fn encode(&self, _: &[String]) -> Result<Vec<Vec<f32>>, String> {
            Ok(self.0.clone())
        }
    }
    let texts = ["one".to_owned(), "two".to_owned()];
    for wrong in [vec![vec![1.0]], vec![vec![1.0], vec![]], vec![vec![1.0], vec![0.0]], vec![vec![1.0], vec![1.0, 2.0]]]
    {
        let encodings = Encodings::new(Arc::new(Wrong(wrong.clone())));
        assert!(encodings.encode(&texts, BATCH_TIME).await.is_err(), "{wrong:?}");
    }
    let encodings = Encodings::new(Arc::new(Wrong(vec![vec![f32::NAN, 1.0], vec![1.0, 0.0]])));
    assert!(encodings.encode(&texts, BATCH_TIME).await.is_err());
}
