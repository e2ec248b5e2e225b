//! Which place a request changes, and which it leaves.

use super::*;

const GATE: &str = "# the barrier at the car park\nbarrier:\n  open_seconds: 25\n  retries: 3\n  lamp: amber\ncamera:\n  enabled: true\n  keep_days: 14\n";
const STOCK: &str =
    "sku;item;size;qty;price\nT-01;club shirt;S;4;18,50\nT-03;club shirt;L;7;18,50\nH-01;hoodie;M;2;39,00\n";
const MEMBERS: &str =
    "id,Name,Class,Fee,Paid\n1,Anna Berger,adult,180,yes\n2,Tom Okafor,adult,180,no\n6,Anna Kowalska,junior,90,no\n";
const CRON: &str = "*/15 * * * * /opt/kp/fetch_tides.sh\n30 4 * * * /opt/kp/backup_berths.sh\n";
const README: &str = "# Kestrel Point\n\n## Fuel\n\nDiesel is sold on Tuesdays and Saturdays between 10:00 and 12:00.\n\n## Showers\n\nTokens cost 1.50 at the kiosk.\n";
const ENV: &str = "PORT=8450\nLOG_LEVEL=warning\nSHOW_WEBCAM=false\n";
const TODO: &str = "# Shop is down\n\n- [x] check alder and birch\n- [ ] check nginx on both\n- [ ] restart the app\n";

fn files() -> Vec<(String, String)> {
    [
        ("config/gate.yaml", GATE),
        ("shop/stock.csv", STOCK),
        ("members.csv", MEMBERS),
        ("deploy/crontab", CRON),
        ("README.md", README),
        ("harbour.env", ENV),
        ("old/harbour.env", ENV),
        ("runbooks/shop.md", TODO),
    ]
    .map(|(path, text)| (path.to_owned(), text.to_owned()))
    .to_vec()
}

/// The one line that is other than before, or why nothing is.
fn changed(request: &str, about: Option<&str>) -> String {
    let files = files();
    match change_told(&files, Telling { request, about, ..Telling::default() }) {
        Ok(told) => {
            let before = &files.iter().find(|(path, _)| *path == told.path).expect("the file").1;
            let lines: Vec<&str> =
                told.text.lines().zip(before.lines()).filter(|(new, old)| new != old).map(|(new, _)| new).collect();
            assert_eq!(told.text.lines().count(), before.lines().count(), "{request}");
            let left = if told.left.is_empty() { String::new() } else { format!(" ?{}", told.left.join(" ")) };
            format!("{}: {}{left}", told.path, lines.join("|"))
        }
        Err(Untold::Nowhere) => "nowhere".to_owned(),
        Err(Untold::Stays(why)) => why,
    }
}

#[test]
fn a_change_finds_its_place_by_words_old_value_and_unit() {
    for (request, expected) in [
        ("the port moves from 8450 to 8460", "harbour.env: PORT=8460"),
        ("port 8460 please", "harbour.env: PORT=8460"),
        ("3 retries at the barrier are too few, 5 please", "config/gate.yaml:   retries: 5"),
        ("let the barrier stay open for 40 seconds rather than 25", "config/gate.yaml:   open_seconds: 40"),
        ("T-01 costs 19,50 now", "shop/stock.csv: T-01;club shirt;S;4;19,50"),
        ("T-03 costs 20 now", "shop/stock.csv: T-03;club shirt;L;7;20,00"),
        ("2 hoodies in M were sold", "nowhere"),
        // What somebody got is what there is; what we got comes in addition.
        ("the hoodie got 5 in qty, correct it", "shop/stock.csv: H-01;hoodie;M;5;39,00"),
        ("we got 5 hoodies in M, update the qty", "shop/stock.csv: H-01;hoodie;M;7;39,00"),
        (
            "diesel on Wednesdays instead of Tuesdays",
            "README.md: Diesel is sold on Wednesdays and Saturdays between 10:00 and 12:00.",
        ),
        ("the shower tokens are 2.00 now, not 1.50", "README.md: Tokens cost 2.00 at the kiosk."),
        ("webcam on please", "harbour.env: SHOW_WEBCAM=true"),
        ("log level info", "harbour.env: LOG_LEVEL=info"),
        ("the barrier stays open for half a minute", "nowhere"),
        ("the barrier stays open for 2 minutes", "config/gate.yaml:   open_seconds: 120"),
        ("log level: info", "harbour.env: LOG_LEVEL=info"),
        ("Tom Okafor has paid", "members.csv: 2,Tom Okafor,adult,180,yes"),
        ("nginx on both checked, tick that in the shop runbook", "runbooks/shop.md: - [x] check nginx on both"),
        ("the camera keeps its pictures 30 days from now on", "config/gate.yaml:   keep_days: 30"),
        // A word that no file has names no other place; what is left is shown first.
        ("the east barrier gets 5 retries", "config/gate.yaml:   retries: 5 ?east"),
        ("the barrier stays open for 40 seconds, says wim", "config/gate.yaml:   open_seconds: 40 ?wim"),
    ] {
        assert_eq!(changed(request, None), expected, "{request}");
    }
}

#[test]
fn what_is_doubtful_or_more_than_one_change_is_left() {
    for request in [
        "take 20 off Tom Okafor's fee, but only if he's a junior",
        "do not set the port to 8460",
        "maybe set the port to 8460",
        "set the metrics port to 8460",
        "T-02 costs 19,50 now",
        "T-01 and T-03 cost 19,50 now",
        "Anna's fee is 100 now",
        "the retries go from 4 to 5",
        "port 8460 in staging",
        "what is the port now",
        "the staging barrier by the slipway, east side, gets 5 retries",
        "the West barrier gets 5 retries",
        "5 retries at the barrier in the script",
        "fee 200 for all adults",
        "set every retry to 5",
        "the barrier has 3 to 5 retries",
        "the diesel is sold from 10:00 to 13:00",
        "a new hoodie in M, 39,00 please",
        "Anna Berger ordered 3 club shirts",
        "the retries were 3 until yesterday, set them to 5",
        "30 days of barriers instead of 25",
    ] {
        assert!(
            change_told(&files(), Telling { request, ..Telling::default() }).is_err(),
            "{request}: {}",
            changed(request, None)
        );
    }
}

#[test]
fn a_message_goes_on_with_the_request_before() {
    for (about, request, expected) in [
        ("what is the log level?", "set it to debug", "harbour.env: LOG_LEVEL=debug"),
        ("who is Tom Okafor", "change his fee to 200", "members.csv: 2,Tom Okafor,adult,200,no"),
    ] {
        assert_eq!(changed(request, Some(about)), expected, "{request}");
    }
}

#[test]
fn what_stands_twice_is_asked_about() {
    let text = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let files = [
        text("config/app.yaml", "holds:\n  minutes: 15      # how long a seat is kept before payment\n  max: 6\n"),
        text("gateway/seatlock.go", "package main\n\nconst holdMinutes = 15\n"),
    ];
    let told = change_told(&files, Telling { request: "seats are kept 20 minutes now", ..Telling::default() });
    assert!(matches!(&told, Err(Untold::Stays(why)) if why.contains("holdMinutes")), "{told:?}");
}

#[test]
fn two_rows_that_have_the_words_are_asked_about() {
    let issues = "id,title,labels,state,opened,assignee,votes\n7,Crash on empty file,bug,closed,2026-01-25,Priya,4\n12,Wrong total when an entry crosses midnight,bug,closed,2026-02-11,Priya,11\n14,Round to quarter hours,feature,open,2026-02-27,,17\n15,Windows: backslash in path breaks backup,bug,open,2026-03-04,,6\n21,Windows: installer shows a warning,bug,open,2026-03-24,Olek,3\n";
    let files = [("issues.csv".to_owned(), issues.to_owned())];

    for request in
        ["close the windows issue in issues.csv", "set the windows issue to closed in the issues file, that's fixed"]
    {
        let told = change_told(&files, Telling { request, ..Telling::default() });

        let Err(Untold::Stays(why)) = told else { panic!("{told:?}") };
        assert!(why.contains("state of 15") && why.contains("state of 21"), "{why}");
    }
}

#[test]
fn a_name_is_another_than_one_that_begins_like_it() {
    let text = "id,name,plan\nM1,Tom Hale,basic\nM2,Tom Haley,basic\nM3,Priya Shah,family\nM4,Ann Lee,family\nM5,Bo Lee,basic\n";
    let files = [("members.csv".to_owned(), text.to_owned())];
    let told =
        change_told(&files, Telling { request: "tom hale switched to family, correct his plan", ..Telling::default() });
    assert_eq!(told.map(|told| told.text), Ok(text.replace("Tom Hale,basic", "Tom Hale,family")));
    let told = change_told(
        &files,
        Telling { request: "tom haley switched to family, correct his plan", ..Telling::default() },
    );
    assert_eq!(told.map(|told| told.text), Ok(text.replace("Tom Haley,basic", "Tom Haley,family")));
}

#[test]
fn what_is_told_beside_a_change_has_no_part_in_it() {
    let meter = "date,reading kWh\n2026-02-01,47903\n2026-03-01,48261\n2026-05-01,48530\n";
    let loans = "loan,member,back\nL011,M018,2025-05-02\nL012,M008,\n";
    let yarn = "sku,colour,qty_on_hand,price_gbp\nY-13,Ink,3,29.00\nY-15,Plum,4,29.00\n";
    let orders = "no,customer,total,paid\n1044,Ann Lee,20.00,no\n1045,Dan Okoro,38.50,no\n";
    for (path, text, request, new) in [
        (
            "power meter.csv",
            meter,
            "the march reading in the power meter file is wrong, i swapped two digits, it should say 48216",
            meter.replace("48261", "48216"),
        ),
        (
            "power meter.csv",
            meter,
            "i mistyped the may reading, it is 48350 and not 48530",
            meter.replace("48530", "48350"),
        ),
        (
            "loans.csv",
            loans,
            "L012 came back on 2025-05-12, two days late. could you enter the return date?",
            loans.replace("M008,", "M008,2025-05-12"),
        ),
        ("yarn.csv", yarn, "delivery came, we have 33 of Ink on hand now", yarn.replace("Ink,3", "Ink,33")),
        ("yarn.csv", yarn, "we sell Plum for 27.50 from now on, change the price", yarn.replace("4,29.00", "4,27.50")),
        (
            "orders.csv",
            orders,
            "Dan Okoro came by and paid for 1045. mark that",
            orders.replace("38.50,no", "38.50,yes"),
        ),
    ] {
        let told = change_told(&[(path.to_owned(), text.to_owned())], Telling { request, ..Telling::default() });
        assert_eq!(told.map(|told| told.text), Ok(new), "{request}");
    }
    for (path, text, request) in [
        ("power meter.csv", meter, "i mistyped the april reading, it should say 48216"),
        ("loans.csv", loans, "did L012 come back on 2025-05-12?"),
        ("yarn.csv", yarn, "delivery came, we have 33 of Moss on hand now"),
    ] {
        let told = change_told(&[(path.to_owned(), text.to_owned())], Telling { request, ..Telling::default() });
        assert!(told.is_err(), "{request}: {told:?}");
    }
}
