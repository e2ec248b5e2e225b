//! [`ProviderClient`]: a model behind a provider, with the limiter, the deadlines and the retries that all of them share.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use tokio::time::{sleep, timeout};

use super::backoff;
use super::client::{LlmClient, ModelInfo, TextSink};
use super::config::LlmLimits;
use super::dialect::Dialect;
use super::error::{Deadline, LlmError};
use super::rate_limiter::RateLimiter;
use super::reply::LlmReply;
use super::request::LlmRequest;
use super::transport::Transport;
use switchboard_runtime::Secret;

/// A model behind a provider.
pub(super) struct ProviderClient {
    model: ModelInfo,
    dialect: Box<dyn Dialect>,
    transport: Transport,
    limiter: Arc<RateLimiter>,
    limits: LlmLimits,
    key: Option<Secret>,
    /// It said that it takes no pictures.
    is_blind: AtomicBool,
}

impl ProviderClient {
    /// `limiter` is the one of the key that `dialect` uses; `key` is taken out of all errors.
    pub(super) fn new(
        model: ModelInfo,
        dialect: Box<dyn Dialect>,
        transport: Transport,
        limiter: Arc<RateLimiter>,
        limits: LlmLimits,
        key: Option<Secret>,
    ) -> Self {
        Self { model, dialect, transport, limiter, limits, key, is_blind: false.into() }
    }

    async fn ask(&self, request: &LlmRequest, sink: Option<&mut (dyn TextSink + Send)>) -> Result<LlmReply, LlmError> {
        let limit = self.limits.total;
        let asked = timeout(limit, self.tries(request, sink)).await;
        asked.unwrap_or(Err(LlmError::Timeout { which: Deadline::Total, limit })).map_err(|error| self.scrub(error))
    }

    async fn tries(
        &self,
        request: &LlmRequest,
        mut sink: Option<&mut (dyn TextSink + Send)>,
    ) -> Result<LlmReply, LlmError> {
        let mut retry = 0;
        let mut request = Cow::Borrowed(request);
        if !request.pictures.is_empty() && self.is_blind.load(Ordering::Relaxed) {
            request.to_mut().pictures.clear();
        }
        loop {
            let pass = self.limiter.enter(self.limits.max_wait).await?;
            let body = self.dialect.body(&request, sink.is_some());
            let mut heard = false;
            let result = match &mut sink {
                Some(sink) => {
                    let mut noted = Noted { sink: *sink, heard: &mut heard };
                    self.transport.stream(&*self.dialect, &request, &body, &mut noted).await
                }
                None => self.transport.complete(&*self.dialect, &request, &body).await,
            };
            let error = match result {
                Ok(reply) => {
                    pass.taken();
                    return Ok(reply);
                }
                Err(error) => error,
            };
            match &error {
                LlmError::RateLimited { retry_after, .. } => pass.refused(*retry_after),
                LlmError::Unreachable(_) | LlmError::Timeout { .. } => {}
                _ => pass.taken(),
            }
            drop(pass);
            if !heard && !request.pictures.is_empty() && self.refuses_pictures(&error) {
                request.to_mut().pictures.clear();
                continue;
            }
            if let LlmError::BadRequest { detail, .. } = &error
                && self.dialect.learn(detail, &body)
            {
                continue;
            }
            let wait = backoff::before(retry, error.retry_after());
            if heard || !is_worth_retrying(&error) || retry == self.limits.retries || wait > self.longest_wait() {
                return Err(error);
            }
            tracing::debug!("{}: asking {} again in {wait:?}: failed to {error}", self.model.provider, self.model.name);
            retry += 1;
            // The limiter makes everybody wait after a refusal, this one too.
            if !matches!(error, LlmError::RateLimited { .. }) {
                sleep(wait).await;
            }
        }
    }

    /// Whether the request was refused for its pictures: then it is made again with words in place of them, and so are all
    /// others if the model takes no pictures at all.
    fn refuses_pictures(&self, error: &LlmError) -> bool {
        let (LlmError::BadRequest { detail, .. }
        | LlmError::Overloaded { detail, .. }
        | LlmError::UnknownModel(detail)) = error
        else {
            return false;
        };
        let detail = detail.to_lowercase();
        let takes_none =
            ["not support", "unsupported", "no endpoints", "mmproj", "not a multimodal", "text-only", "text only"]
                .iter()
                .any(|phrase| detail.contains(phrase));
        let about_pictures = ["image", "picture", "vision", "multimodal"].iter().any(|word| detail.contains(word));
        if about_pictures && takes_none {
            tracing::info!("{} takes no pictures; from now on they are told in words", self.model.name);
            self.is_blind.store(true, Ordering::Relaxed);
        }
        // A server that is overloaded may do it later.
        about_pictures && (takes_none || matches!(error, LlmError::BadRequest { .. }))
    }

    /// With the tenth that is added so that not all come at one moment.
    fn longest_wait(&self) -> std::time::Duration {
        self.limits.max_wait.mul_f64(1.1)
    }

    /// Takes the key out of what the provider said: some repeat it.
    fn scrub(&self, error: LlmError) -> LlmError {
        let Some(key) = self.key.as_ref().map(Secret::reveal).filter(|key| key.len() >= 4) else { return error };
        let scrub = |text: String| match text.contains(key) {
            true => text.replace(key, "[redacted: the key]"),
            false => text,
        };
        match error {
            LlmError::Unreachable(text) => LlmError::Unreachable(scrub(text)),
            LlmError::Authentication { status, detail } => LlmError::Authentication { status, detail: scrub(detail) },
            LlmError::UnknownModel(text) => LlmError::UnknownModel(scrub(text)),
            LlmError::RateLimited { retry_after, detail } => {
                LlmError::RateLimited { retry_after, detail: scrub(detail) }
            }
            LlmError::Overloaded { status, retry_after, detail } => {
                LlmError::Overloaded { status, retry_after, detail: scrub(detail) }
            }
            LlmError::ContextTooLong(text) => LlmError::ContextTooLong(scrub(text)),
            LlmError::BadRequest { status, detail } => LlmError::BadRequest { status, detail: scrub(detail) },
            LlmError::Filtered(text) => LlmError::Filtered(scrub(text)),
            LlmError::BrokenOff(text) => LlmError::BrokenOff(scrub(text)),
            LlmError::TooLong(text) => LlmError::TooLong(scrub(text)),
            LlmError::Malformed(text) => LlmError::Malformed(scrub(text)),
            error @ (LlmError::Timeout { .. } | LlmError::Empty) => error,
        }
    }
}

/// Whether asking again may help. What a provider answers wrongly, it answers wrongly again; what to do about an empty
/// reply is for those to say who know what was asked.
fn is_worth_retrying(error: &LlmError) -> bool {
    error.is_retryable() && !matches!(error, LlmError::Malformed(_) | LlmError::Empty)
}

#[async_trait]
impl LlmClient for ProviderClient {
    fn model(&self) -> &ModelInfo {
        &self.model
    }

    async fn complete(&self, request: &LlmRequest) -> Result<LlmReply, LlmError> {
        self.ask(request, None).await
    }

    async fn stream(&self, request: &LlmRequest, sink: &mut (dyn TextSink + Send)) -> Result<LlmReply, LlmError> {
        self.ask(request, Some(sink)).await
    }
}

/// Notes whether anything was given out: then nothing may be asked again.
struct Noted<'a> {
    sink: &'a mut (dyn TextSink + Send),
    heard: &'a mut bool,
}

impl TextSink for Noted<'_> {
    fn text(&mut self, piece: &str) {
        *self.heard = true;
        self.sink.text(piece);
    }
}

#[cfg(test)]
#[path = "provider_tests.rs"]
mod tests;
