//! The actor of one session, [`ChatServerToolAgent`]: the only one that appends to the session's log.
//!
//! It waits for one input, handles it, and then starts what can start. It never waits for a client, a turn or the log,
//! so it always listens.

mod approvals;
mod attach;
mod clients;
mod commands;
mod conversation;
mod damage;
mod edits;
mod failures;
mod forks;
mod messages;
mod outcomes;
mod parked;
mod plans;
mod prompts;
mod queries;
mod questions;
mod records;
mod rights;
mod turns;
mod user_calls;
mod windows;
mod work;

use std::sync::Arc;

use switchboard_protocol::{QueryId, SessionId};
use tokio::sync::mpsc;
use tokio::time::Instant;

use self::clients::Clients;
use self::questions::Questions;
use self::work::Work;
use super::command::SessionCommand;
use super::home::Home;
use super::host::FromWork;
use super::in_flight::InFlight;
use super::outbox::{Failed, Outbox, Released};
use super::recovery::Cut;
use super::services::SessionServices;
use super::state::{ReadOnly, SessionState};
use super::subscriber::{CloseReason, SubscriberId};
use switchboard_accounts::Principal;
use switchboard_agent::TurnView;
use switchboard_events::{EventLog, LogError, Values};
use switchboard_tools::ToolManager;

/// The actor.
pub(super) struct ChatServerToolAgent {
    id: SessionId,
    owner: Principal,
    services: Arc<SessionServices>,
    home: Arc<dyn Home>,
    state: SessionState,
    outbox: Outbox,
    in_flight: InFlight,
    values: Arc<Values>,
    tools: Arc<ToolManager>,
    clients: Clients,
    commands: mpsc::Receiver<Box<SessionCommand>>,
    work: Work,
    questions: Questions,
    view: Option<Arc<TurnView>>,
    /// The last event of those with which it came back from its log.
    recovered_at: u64,
    /// When something happened last.
    busy_at: Instant,
    /// How often the log has failed since it was last written.
    log_failures: u32,
    phase: Phase,
}

/// How the session is.
enum Phase {
    /// It takes commands.
    Open,
    /// It can be read, and nothing is written.
    ReadOnly(ReadOnly),
    /// The log failed; it will be read again at this time.
    Broken { error: LogError, retry_at: Instant },
    /// The server stops: nothing new begins.
    Stopping,
    /// It ends as soon as it can; the clients hear why.
    Over(CloseReason),
}

/// What the actor waits for.
enum Input {
    Committed(Result<Released, Failed>),
    WorkRequest(FromWork),
    Command(Option<SessionCommand>),
    Departed(SubscriberId),
    Withdrawn(QueryId),
    Time,
    Stopping,
    CutOff,
}

/// What an actor is made of.
pub(super) struct Parts {
    pub(super) id: SessionId,
    pub(super) owner: Principal,
    pub(super) services: Arc<SessionServices>,
    pub(super) home: Arc<dyn Home>,
    pub(super) state: SessionState,
    pub(super) read_only: Option<ReadOnly>,
    pub(super) values: Arc<Values>,
    pub(super) tools: Arc<ToolManager>,
    pub(super) commands: mpsc::Receiver<Box<SessionCommand>>,
}

impl ChatServerToolAgent {
    pub(super) fn new(parts: Parts) -> Self {
        let Parts { id, owner, services, home, mut state, read_only, values, tools, commands } = parts;
        state.conversation.configure(services.chat_config());
        if read_only.is_some() {
            state.let_go_of_open();
        }
        let now = Instant::now();
        Self {
            id,
            owner,
            outbox: Outbox::new(Arc::<dyn EventLog>::clone(&services.log), id, state.last_seq),
            questions: Questions::none(),
            services,
            home,
            state,
            in_flight: InFlight::default(),
            values,
            tools,
            clients: Clients::none(),
            commands,
            work: Work::none(),
            view: None,
            recovered_at: 0,
            busy_at: now,
            log_failures: 0,
            phase: read_only.map_or(Phase::Open, Phase::ReadOnly),
        }
    }

    /// Runs until the session is closed: after a while without client and work, at the shutdown, or when it is deleted.
    pub(super) async fn run(mut self: Box<Self>) {
        self.take_up_rules();
        if !self.is_read_only() {
            self.recover(Cut::ServerStopped);
        }
        loop {
            self.send_what_can_be_sent();
            self.start_next_turn();
            if self.is_over() {
                break;
            }
            let input = self.next_input().await;
            self.handle(input).await;
        }
        self.hand_over().await;
        self.let_go();
    }

    /// Waits for one input; the choice is fair, so that no kind of input keeps the others waiting.
    async fn next_input(&mut self) -> Input {
        let room = self.outbox.has_room();
        let listens = room && !self.is_coming_back();
        let deadline = self.deadline();
        let (open, over) = (!self.is_stopping(), matches!(self.phase, Phase::Over(_)));
        let shutdown = &self.services.shutdown;
        tokio::select! {
            result = self.outbox.next_commit() => Input::Committed(result),
            Some(request) = self.work.next_wish(), if room => Input::WorkRequest(request),
            command = self.commands.recv(), if listens => Input::Command(command.map(|command| *command)),
            Some(subscriber) = self.clients.next_departed() => Input::Departed(subscriber),
            Some(query) = self.questions.next_withdrawn() => Input::Withdrawn(query),
            () = sleep_until(deadline), if deadline.is_some() => Input::Time,
            () = shutdown.stopping().cancelled(), if open => Input::Stopping,
            () = shutdown.cutting_off().cancelled(), if !over => Input::CutOff,
        }
    }

    async fn handle(&mut self, input: Input) {
        if !matches!(input, Input::Time) {
            self.busy_at = Instant::now();
        }
        match input {
            Input::Committed(Ok(released)) => {
                self.log_failures = 0;
                self.send(released);
            }
            Input::Committed(Err(failed)) => self.log_failed(failed),
            Input::WorkRequest(request) => self.handle_work(request),
            Input::Command(Some(command)) => self.handle_command(command),
            Input::Command(None) => self.phase = Phase::Over(CloseReason::Restarted),
            Input::Departed(subscriber) => {
                self.clients.depart(subscriber);
                self.view = None;
            }
            Input::Withdrawn(query) => self.withdraw_query(&query),
            Input::Time => self.keep_time().await,
            Input::Stopping => self.stop(),
            Input::CutOff => self.cut_off(),
        }
    }

    /// Whoever sent the command may have gone; then nobody hears the reply, and nothing else is lost.
    fn handle_command(&mut self, command: SessionCommand) {
        match command {
            SessionCommand::Attach { from, viewer, reply } => {
                let _ = reply.send(self.attach(from, viewer));
            }
            SessionCommand::GoLive { subscriber, have, reply } => {
                let _ = reply.send(self.go_live(subscriber, have));
            }
            SessionCommand::Client { subscriber, rights, frame } => self.listen(subscriber, rights, *frame),
            SessionCommand::Refuse { subscriber, refusal } => self.refuse(subscriber, refusal),
            SessionCommand::View(reply) => {
                let _ = reply.send(self.view());
            }
            SessionCommand::Asked(call_id, reply) => {
                let _ = reply.send(self.questions.approvals.get(&call_id).map(|ask| Arc::clone(&ask.whole)));
            }
            SessionCommand::Keep { name, value, reply } => {
                let _ = reply.send(self.keep(&name, value));
            }
            SessionCommand::Discard { name, reply } => {
                let _ = reply.send(self.discard(&name));
            }
            SessionCommand::ReasonerChanged => self.tell_reasoner(),
            SessionCommand::Damaged => self.found_damaged(),
            SessionCommand::Moved => self.moved(),
            #[cfg(test)]
            SessionCommand::State(reply) => {
                let _ = reply.send(Box::new(self.state.clone()));
            }
            SessionCommand::Delete => self.delete(),
        }
    }

    /// What must be looked at when its time has come.
    async fn keep_time(&mut self) {
        let now = Instant::now();
        if let Phase::Broken { retry_at, .. } = &self.phase
            && *retry_at <= now
        {
            self.reload().await;
        }
        self.expire_approvals(now);
        self.expire_queries(now);
        self.expire_outcomes(now);
        self.expire_plan(now);
        self.end_stuck_work(now);
        if self.idle_deadline().is_some_and(|deadline| deadline <= now) {
            self.retire();
        }
    }

    fn deadline(&self) -> Option<Instant> {
        let retry = match &self.phase {
            Phase::Broken { retry_at, .. } => Some(*retry_at),
            _ => None,
        };
        let question = self.questions.deadline();
        let plan = self.plan_deadline();
        [retry, self.work.deadline(), question, self.outcome_deadline(), plan, self.idle_deadline()]
            .into_iter()
            .flatten()
            .min()
    }

    /// When the session leaves memory, if nothing happens until then.
    fn idle_deadline(&self) -> Option<Instant> {
        let idle = matches!(self.phase, Phase::Open | Phase::ReadOnly(_))
            && self.clients.is_empty()
            && self.is_at_rest()
            && self.state.messages.waiting.is_empty();
        idle.then(|| self.busy_at + self.services.config.idle_close)
    }

    fn is_at_rest(&self) -> bool {
        self.work.is_at_rest() && self.outbox.is_empty()
    }

    /// Whether it cannot say yet what it asks since it came back: who connects is to see that at once.
    fn is_coming_back(&self) -> bool {
        matches!(self.phase, Phase::Open) && self.outbox.durable() < self.recovered_at
    }

    fn is_stopping(&self) -> bool {
        matches!(self.phase, Phase::Stopping | Phase::Over(_))
    }

    fn is_over(&self) -> bool {
        match self.phase {
            Phase::Stopping => self.is_at_rest(),
            Phase::Over(_) => self.outbox.is_empty(),
            Phase::Open | Phase::ReadOnly(_) | Phase::Broken { .. } => false,
        }
    }

    /// Leaves memory, unless somebody has just asked for something.
    fn retire(&mut self) {
        if self.commands.is_empty() {
            self.home.forget(self.id);
            self.phase = Phase::Over(CloseReason::Restarted);
        }
    }

    /// Leaves the session to another server, if one goes on with what this one had when it stopped.
    async fn hand_over(&mut self) {
        let goes_on = matches!(self.phase, Phase::Stopping | Phase::Over(CloseReason::Restarted));
        if !goes_on || !self.services.shutdown.is_handing_over() {
            return;
        }
        // Who comes now is for the next server.
        self.commands.close();
        match self.services.log.release(self.id).await {
            Ok(()) => self.phase = Phase::Over(CloseReason::Moved),
            Err(error) => {
                tracing::warn!(session = %self.id, %error, "the session is not handed over; it is taken over soon");
            }
        }
    }

    /// Lets go of all clients, saying why.
    fn let_go(&mut self) {
        let reason = match self.phase {
            Phase::Over(reason) => reason,
            _ => CloseReason::Restarted,
        };
        self.clients.let_go(reason);
    }
}

async fn sleep_until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests;
