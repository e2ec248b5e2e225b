//! The settings of language models; `declared.rs` lists them with the others.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use super::plain::{PLAIN, address, key, number};
use super::settings::{Fallback, Kind, Setting};

/// The longest key, name or address.
const MAX_BYTES: usize = 2048;

/// The largest file of instructions.
const MAX_PROMPT_BYTES: u64 = 64 * 1024;

pub(super) const LLM: Setting = Setting {
    key: "llm",
    kind: Kind::Choice(&["on", "off"]),
    default: Fallback::Text("on"),
    help: "Whether language models are used; off: no model is used, and no provider is looked for",
    take: |config, value| {
        config.llm.off = value == "off";
        Ok(())
    },
    ..PLAIN
};

pub(super) const PROVIDER: Setting = Setting {
    key: "llm-provider",
    kind: Kind::Text("PROVIDER"),
    help: "Who serves the language model: openai, anthropic, gemini, openrouter, ollama, llamacpp, vllm, or \
           compatible for any OpenAI-compatible API; if not set, what was chosen in the dialog, otherwise a provider \
           whose key is in the environment, otherwise a local Ollama",
    take: |config, value| {
        if switchboard_llm::provider(value).is_none() {
            let ids: Vec<_> = switchboard_llm::PROVIDERS.iter().map(|provider| provider.id).collect();
            return Err(format!("\"{value}\" is not one of {}", ids.join(", ")));
        }
        config.llm.provider = Some(value.to_owned());
        Ok(())
    },
    ..PLAIN
};

pub(super) const BASE_URL: Setting = Setting {
    key: "llm-base-url",
    kind: Kind::Text("URL"),
    help: "The address of the provider's API, such as http://127.0.0.1:8080/v1; compatible needs it, the others have \
           their own",
    take: |config, value| {
        api_address(value)?;
        config.llm.base_url = Some(value.to_owned());
        Ok(())
    },
    ..PLAIN
};

pub(super) const MODEL: Setting = Setting {
    key: "llm-model",
    kind: Kind::Text("NAME"),
    help: "The model, by the provider's name for it; if not set, the provider's default model, or the first that it \
           lists",
    take: |config, value| {
        config.llm.model = Some(model_name(value)?);
        Ok(())
    },
    ..PLAIN
};

pub(super) const API_KEY: Setting = Setting {
    key: "llm-api-key",
    kind: Kind::Text("KEY"),
    help: "The provider's key; if not set, the provider's own variable, such as OPENAI_API_KEY, otherwise the key \
           given in the dialog. On the command line, other users of the machine can see it",
    secret: true,
    take: |config, value| {
        config.llm.api_key = Some(key(value, MAX_BYTES)?);
        Ok(())
    },
    ..PLAIN
};

pub(super) const VISION: Setting = Setting {
    key: "llm-vision",
    kind: Kind::Choice(&["auto", "on", "off"]),
    default: Fallback::Text("auto"),
    help: "Whether the model is shown pictures; auto: if the provider or the model's name says that it can see them",
    take: |config, value| {
        config.llm.vision = match value {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        };
        Ok(())
    },
    ..PLAIN
};

pub(super) const WEB_SEARCH: Setting = Setting {
    key: "llm-web-search",
    kind: Kind::Choice(&["on", "off"]),
    default: Fallback::Text("off"),
    help: "Whether the provider's own web search may be used for a reply, where it has one; it costs extra",
    take: |config, value| {
        config.llm.web_search = value == "on";
        Ok(())
    },
    ..PLAIN
};

pub(super) const TEMPERATURE: Setting = Setting {
    key: "temperature",
    kind: Kind::Text("NUMBER"),
    default: Fallback::Text("0.5"),
    help: "How freely the model writes its replies, from 0 to 2",
    take: |config, value| {
        let number = value.parse().ok().filter(|number| (0.0..=2.0).contains(number));
        config.llm.temperature = number.ok_or_else(|| format!("\"{value}\" is not a number from 0 to 2"))?;
        Ok(())
    },
    ..PLAIN
};

pub(super) const MAX_TOKENS: Setting = Setting {
    key: "max-tokens",
    kind: Kind::Number("COUNT"),
    default: Fallback::Text("1024"),
    help: "How long a reply of the model may be, in tokens",
    take: |config, value| {
        config.llm.max_tokens = number(value, 16, 1_000_000)?;
        Ok(())
    },
    ..PLAIN
};

pub(super) const SYSTEM_PROMPT: Setting = Setting {
    key: "system-prompt",
    kind: Kind::Text("FILE"),
    help: "The file with the model's instructions, in place of the built-in ones and of a primary agent's; at most 64 \
           KiB of text",
    take: |config, value| {
        config.conversation.system_prompt = Some(prompt_in(Path::new(value))?);
        Ok(())
    },
    ..PLAIN
};

pub(super) const EMBEDDINGS_URL: Setting = Setting {
    key: "embeddings-url",
    kind: Kind::Text("URL"),
    help: "An OpenAI-compatible API with /embeddings, such as http://127.0.0.1:8080/v1, that compares meanings when \
           tools are searched for; if not set, a built-in table does. It receives requests and descriptions of tools",
    take: |config, value| {
        config.embeddings.url = Some(api_address(value)?);
        Ok(())
    },
    ..PLAIN
};

pub(super) const EMBEDDINGS_MODEL: Setting = Setting {
    key: "embeddings-model",
    kind: Kind::Text("NAME"),
    help: "The model at embeddings-url, such as text-embedding-3-small, for APIs that have several",
    take: |config, value| {
        config.embeddings.model = Some(model_name(value)?);
        Ok(())
    },
    ..PLAIN
};

pub(super) const EMBEDDINGS_KEY: Setting = Setting {
    key: "embeddings-key",
    kind: Kind::Text("KEY"),
    help: "The key for embeddings-url; no other key is sent there. On the command line, other users of the machine \
           can see it",
    secret: true,
    take: |config, value| {
        config.embeddings.key = Some(key(value, MAX_BYTES)?);
        Ok(())
    },
    ..PLAIN
};

pub(super) const CONNECT: Setting = Setting {
    key: "llm-connect-seconds",
    kind: Kind::Number("SECONDS"),
    default: Fallback::Text("10"),
    help: "How long a connection to the provider may take",
    take: |config, value| {
        config.llm.limits.connect = seconds(value)?;
        Ok(())
    },
    ..PLAIN
};

pub(super) const FIRST_BYTE: Setting = Setting {
    key: "llm-first-byte-seconds",
    kind: Kind::Number("SECONDS"),
    default: Fallback::Text("60"),
    help: "How long a reply may take to begin",
    take: |config, value| {
        config.llm.limits.first_byte = seconds(value)?;
        Ok(())
    },
    ..PLAIN
};

pub(super) const IDLE: Setting = Setting {
    key: "llm-idle-seconds",
    kind: Kind::Number("SECONDS"),
    default: Fallback::Text("30"),
    help: "How long a streamed reply may pause",
    take: |config, value| {
        config.llm.limits.idle = seconds(value)?;
        Ok(())
    },
    ..PLAIN
};

pub(super) const TOTAL: Setting = Setting {
    key: "llm-total-seconds",
    kind: Kind::Number("SECONDS"),
    default: Fallback::Text("300"),
    help: "How long one request to the model may take, including waits and retries",
    take: |config, value| {
        config.llm.limits.total = seconds(value)?;
        Ok(())
    },
    ..PLAIN
};

pub(super) const RETRIES: Setting = Setting {
    key: "llm-retries",
    kind: Kind::Number("COUNT"),
    default: Fallback::Text("3"),
    help: "How often a request is retried when the provider has trouble or asks to wait",
    take: |config, value| {
        config.llm.limits.retries = number(value, 0, 10)?;
        Ok(())
    },
    ..PLAIN
};

pub(super) const MAX_WAIT: Setting = Setting {
    key: "llm-max-wait-seconds",
    kind: Kind::Number("SECONDS"),
    default: Fallback::Text("30"),
    help: "The longest wait before a retry; a provider that asks for a longer one gets no retry",
    take: |config, value| {
        config.llm.limits.max_wait = seconds(value)?;
        Ok(())
    },
    ..PLAIN
};

pub(super) const PARALLEL: Setting = Setting {
    key: "llm-parallel",
    kind: Kind::Number("COUNT"),
    default: Fallback::Text("32"),
    help: "How many requests with one key are made at the same time; the others wait",
    take: |config, value| {
        config.llm.limits.parallel = number(value, 1, 100_000)?;
        Ok(())
    },
    ..PLAIN
};

/// The instructions in a file.
fn prompt_in(path: &Path) -> Result<String, String> {
    let file = path.display();
    let (mut bytes, most) = (Vec::new(), MAX_PROMPT_BYTES);
    let opened = File::open(path).map_err(|error| format!("{file} cannot be read: {error}"))?;
    // One byte more than may be tells of all the others; a pipe may have no end.
    opened.take(most + 1).read_to_end(&mut bytes).map_err(|error| format!("{file} cannot be read: {error}"))?;
    if bytes.len() as u64 > most {
        return Err(format!("{file} has more than {most} bytes; all of it is sent to the model with each request"));
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("{file} is not UTF-8 text"))?;
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(format!("{file} is empty; to use the built-in instructions, leave the setting out"));
    }
    Ok(text.to_owned())
}

fn seconds(value: &str) -> Result<Duration, String> {
    Ok(Duration::from_secs(number(value, 1, 86_400)?))
}

/// The address of an API. It is shown and logged, so no password may be in it.
fn api_address(value: &str) -> Result<url::Url, String> {
    let url = address(value).filter(|url| url.username().is_empty() && url.password().is_none());
    url.ok_or_else(|| "this is not an http or https address, or it contains a user name or password".to_owned())
}

fn model_name(value: &str) -> Result<String, String> {
    match value.len() > MAX_BYTES || value.chars().any(char::is_control) {
        true => Err("this is not a model name".to_owned()),
        false => Ok(value.to_owned()),
    }
}
