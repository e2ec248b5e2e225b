//! What must be right before anything is started: settings that go together, and folders that are there.

use anyhow::{anyhow, bail};

use crate::config::Config;
use switchboard_llm::EmbeddingsConfig;

/// Refuses settings with which the server cannot run, or should not.
pub(super) fn check(config: &Config) -> anyhow::Result<()> {
    let is_local = config.service.listen.ip().is_loopback();
    if !is_local && config.http.auth_token.is_none() && config.http.token_file.is_none() {
        bail!(
            "{} can be reached from other machines, and no token is set: anyone who finds it could run tools here. \
             Use --auth-token-file FILE, which creates a token, or --auth-token TOKEN, or listen on 127.0.0.1",
            config.service.listen
        );
    }
    if config.service.echo && !(is_local && config.http.public_url.is_none()) {
        bail!("--echo is for tests on this machine: listen on 127.0.0.1, without --public-url");
    }
    config.http.check_chat_token().map_err(anyhow::Error::msg)?;
    if let Some(provider) = config.web.search {
        provider
            .check(config.web.search_url.as_ref(), config.web.search_key.as_ref())
            .map_err(|error| anyhow!(error))?;
    }
    if config.embeddings.url.is_none() && config.embeddings != EmbeddingsConfig::default() {
        bail!("embeddings-model and embeddings-key do not say where the API is; set --embeddings-url URL too");
    }
    if !config.paths.workspace.is_dir() {
        bail!(
            "the workspace {} is not a folder; create it, or choose another one with --workspace DIR",
            config.paths.workspace.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use switchboard_runtime::Secret;

    #[test]
    fn other_machines_reach_a_server_only_with_a_token_and_never_its_echo() {
        let mut config = Config::default();
        config.paths.workspace = std::env::temp_dir();
        check(&config).expect("this machine may have it");

        config.service.listen = ([0, 0, 0, 0], 0).into();
        let without = check(&config).expect_err("refused").to_string();
        config.http.auth_token = Some(Secret::new("a-token-that-is-long-enough"));
        check(&config).expect("with a token it may");
        config.service.echo = true;
        let echo = check(&config).expect_err("refused").to_string();

        assert!(without.contains("no token is set"), "{without}");
        assert!(echo.contains("--echo is for tests on this machine"), "{echo}");
    }
}
