// The words on the wire between a Switchboard server and its clients.
// Made from the Rust types in protocol/src. Do not edit: run
// cargo run -p switchboard-protocol --all-features --bin export_ts

export const PROTOCOL_VERSION = 1;

/** The frame from a client with this `type`. */
export type ClientFrameOf<T extends ClientFrame["type"]> = Extract<ClientFrame, { type: T }>;

/** The frame from the server with this `type`. */
export type ServerFrameOf<T extends ServerFrame["type"]> = Extract<ServerFrame, { type: T }>;

/** What a user may answer to an `approval-request`. */
export type ApprovalAnswer = "allow-once" | "allow-session" | "deny";

/** A variable that a message brings along. */
export type Attachment = {
    /** The variable. */
    name: string,
    /** Which version of it was meant. */
    version: number,
    /** What kind of value it is. */
    type: ValueType,
    /** The value's size, as [`Variable::bytes`] is. */
    bytes: number, };

/** The turn that is running. */
export type Busy = {
    /** The message that began it. */
    messageId: string,
    /** Where it is. */
    step: Step,
    /** The tool that is running. */
    tool?: string, };

/** One run of a tool: chosen by the client for `call-tool`, by the server for all others. At most 128 bytes. */
export type CallId = string;

/** A tool that the search found. */
export type Candidate = {
    /** Its name. */
    name: string,
    /** From 0 to 1. */
    confidence: number,
    /** Why it was found, such as the words that matched. */
    reasons: Array<string>, };

/** One answer to choose. */
export type Choice = {
    /** What is sent as the answer. */
    value: JsonValue,
    /** What the user reads. */
    label: string, };

/** One frame from a client. */
export type ClientFrame = { "type": "send-message",
    /** The message. `/` and the exact name of a command is a command; `//x` is the text `/x`. */
    text: string,
    /** The client's own time, stored as it is. */
    timestamp?: string,
    /** A message sent again with the same id is not accepted twice. */
    messageId?: string,
    /** What happens when a turn runs. */
    mode?: Mode,
    /** Names of variables that belong to the message, such as those of uploaded files; at most 16. */
    attachments?: Array<string>, }
  | { "type": "cancel",
    /** The message that began the turn. */
    messageId?: string, }
  | { "type": "approve-tool",
    /** The call that needs approval. */
    callId: CallId,
    /** `allow-once`, `allow-session` or `deny`. */
    decision: ApprovalAnswer,
    /** The arguments to run with instead. */
    arguments?: { [key in string]: JsonValue },
    /** Why, for the agent to read. */
    reason?: string, }
  | { "type": "answer-query",
    /** The question. */
    queryId: QueryId,
    /** The answer; absent means dismissed. */
    answer?: JsonValue, }
  | { "type": "call-tool",
    /** An id chosen by the client. */
    callId: CallId,
    /** The tool's name. */
    tool: string,
    /** Its arguments. */
    arguments: { [key in string]: JsonValue }, }
  | { "type": "get-context", }
  | { "type": "clear-context", }
  | { "type": "set-variable",
    /** Its name. */
    name: string,
    /** Its value. */
    value: JsonValue, }
  | { "type": "rename-variable",
    /** Its name. */
    name: string,
    /** Its new name. */
    newName: string, }
  | { "type": "delete-variable",
    /** Its name. */
    name: string, }
  | { "type": "set-title",
    /** The title; at most 200 characters. */
    title: string, }
  | { "type": "window-closed",
    /** The window. */
    windowId: string, }
  | { "type": "ping", };

/** What a summary stands for. */
export type ConversationSummary = {
    /** The summary. */
    text: string,
    /** The first event that it stands for. */
    fromSeq: number,
    /** The last event that it stands for. */
    toSeq: number, };

/** The answer to an approval. */
export type Decision = "allow-once" | "allow-session" | "deny" | "expired" | "cancelled";

/** What a window showed before. */
export type EarlierView = {
    /** How it was shown. */
    viewerType: ViewerType,
    /** The title. */
    title: string,
    /** What was shown. */
    resource: Resource, };

/** What kind of error a failed tool call is, and who can do something about it. */
export type ErrorType = "validation_error" | "user_error" | "system_error" | "permission_error" | "security_error" | "timeout_error";

/** What a field of a form takes. */
export type FieldKind = "text" | "number" | "integer" | "choice" | "choices";

/** The place that a session was forked from. */
export type ForkedFrom = {
    /** The session; it may be deleted, or on another server. */
    sessionId: SessionId,
    /** The last event that was copied; 0 if there was none. */
    seq: number, };

/** One field of a form. */
export type FormField = {
    /** Its key in the answer. */
    name: string,
    /** What the user reads. */
    label: string,
    /** What it is for, and what fits. */
    hint?: string,
    /** What it takes. */
    kind: FieldKind,
    /** Whether the form needs it. */
    required: boolean,
    /** What it has in it at first, and what is taken if the answer does not have it. */
    default?: JsonValue,
    /** What there is to choose from. */
    choices?: Array<Choice>, };

/** Name, description and parameters of a function. */
export type FunctionDefinition = {
    /** The tool's name. */
    name: string,
    /** What it does. */
    description: string,
    /** JSON Schema of its arguments. */
    parameters: JsonValue, };

/** A tool as providers take it. */
export type FunctionTool = {
    /** Always `function`. */
    type: string,
    /** The function. */
    function: FunctionDefinition, };

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/** The level of a notification. */
export type Level = "info" | "success" | "error" | "progress";

/** What a message does while a turn runs. */
export type Mode = "queue" | "steer" | "interrupt";

/** A notification that stays: one without an end, or the progress of a turn that runs. */
export type Notification = {
    /** Its id; the same id again replaces it. */
    notificationId: string,
    /** Its level. */
    level: Level,
    /** What it says. */
    message: string,
    /** How long it stays; 0 until dismissed. */
    durationMs: number,
    /** From 0 to 1. */
    progress?: number,
    /** The turn whose end also ends it. */
    turnId?: string, };

/** A window of the UI and what it shows. */
export type OpenWindow = {
    /** Its id. */
    windowId: string,
    /** How it shows its resource. */
    viewerType: ViewerType,
    /** Its title. */
    title: string,
    /** What it shows. */
    resource: Resource,
    /** What it showed before, the oldest first: 9 at most. */
    earlier?: Array<EarlierView>, };

/** One run of a tool, for `context-state` and `/history`. */
export type Operation = {
    /** The call. */
    callId: CallId,
    /** The tool. */
    tool: string,
    /** The text of the message that asked for it; absent for the user's own calls. */
    request?: string,
    /** The arguments as they were given, references unresolved. */
    inputs: { [key in string]: JsonValue },
    /** A preview of the result. */
    outputs: string,
    /** The variable that took the result. */
    outputVariable?: string,
    /** RFC 3339. */
    timestamp: string,
    /** Whether it worked. */
    success: boolean, };

/** Where a version of an artifact came from. */
export type Origin = {
    /** The call that made it; absent when the user set it. */
    callId?: CallId,
    /** The tool that made it, or `user`. */
    tool: string,
    /** The variables it was made from. */
    inputs: Array<string>,
    /** Nobody named it: its name is the tool's own. */
    defaultName?: boolean, };

/** One question to the user. */
export type QueryId = string;

/** What a question to the user is about. */
export type QueryKind = "query" | "outcome" | "elicitation" | "network" | "plan";

/** Which reasoner is in use. */
export type ReasonerInfo = {
    /** Its kind. */
    kind: ReasonerKind,
    /** The model, if it uses one. */
    model?: string,
    /** What it is and what it can do, for people. */
    about?: string, };

/** Who makes the decisions. */
export type ReasonerKind = "rules" | "staged" | "native";

/** Something that a window shows. */
export type Resource = {
    /** Where it is: `file:<path>`, `var:<name>@<version>` or `call:<id>/<n>`. It names no session, so that forks and
     * imports show their own; a client fetches `/api/sessions/<its session>/resources/<handle, percent-encoded>`. */
    handle: string,
    /** Its media type. */
    mimeType: string,
    /** Its size in bytes; 0 for a folder. */
    bytes: number, };

/** What running a tool may do; the policy decides by it. */
export type Risk = "read" | "write" | "execute" | "network" | "ui";

/** The sandbox of the commands that tools run. */
export type SandboxInfo = {
    /** How far it goes. */
    mode: SandboxState, };

/** How the commands that tools run are confined. */
export type SandboxState = "on" | "shared-processes" | "landlock-only" | "off" | "unavailable";

/** One frame from the server: a message with its place in the log and in a turn. */
export type ServerFrame = {
    /** The place in the session's log, from 1 without gaps; absent for frames that are not stored. */
    seq?: number,
    /** RFC 3339. */
    timestamp: string,
    /** The message that began the turn which the frame belongs to. */
    turnId?: string, } & ServerMessage;

/** What a frame from the server says. */
export type ServerMessage = { "type": "session-ready",
    /** The session. */
    sessionId: SessionId,
    /** The last event of its log; of a damaged log, the last one that can be read. */
    lastSeq: number,
    /** Which history the events belong to: a client that comes back with `after` names it, and hears when it is another. */
    generation?: string,
    /** Whether the session already existed. */
    resumed: boolean,
    /** The protocol's version. */
    protocolVersion: number,
    /** Where the session was forked from, if it was. */
    forkedFrom?: ForkedFrom,
    /** Which reasoner is in use. */
    reasoner: ReasonerInfo,
    /** How the commands that tools run are confined. */
    sandbox?: SandboxInfo,
    /** The name of the folder that tools work in, without where it is. */
    workspace?: string,
    /** The turn that is running. */
    busy?: Busy,
    /** What is waiting for the user: `approval-request` and `user-query` frames as they were sent. */
    pending: Array<ServerFrame>,
    /** The state of the session, with `tail`. */
    snapshot?: Snapshot, }
  | { "type": "session-update",
    /** Its title. */
    title?: string,
    /** Which reasoner is in use. */
    reasoner?: ReasonerInfo,
    /** How full the context window is. */
    contextTokens?: TokenGauge, }
  | { "type": "user-message",
    /** Its id. */
    messageId: string,
    /** Its text. */
    text: string,
    /** What it does while a turn runs. */
    mode: Mode,
    /** The client's own time. */
    clientTimestamp?: string,
    /** The command of the MCP server's prompt that wrote the text: `server__prompt`. */
    prompt?: string,
    /** The tool that the user asked for with `/try`. */
    tool?: string,
    /** The variables that belong to it. */
    attachments?: Array<Attachment>,
    /** It was accepted before; nothing changed. */
    repeated?: boolean, }
  | { "type": "agent-thinking",
    /** The stage. */
    step: Step,
    /** What is happening, for people. */
    message: string,
    /** Stage 1's answer. */
    needsTools?: boolean,
    /** How many tools the search found. */
    foundTools?: number,
    /** What the search found, and what the choice was made from. */
    candidates?: Array<Candidate>,
    /** Stage 3's answer: the tools that were chosen; none of the candidates if this is empty. */
    selected?: Array<string>,
    /** Why. */
    reasoning?: string, }
  | { "type": "agent-delta",
    /** Where it begins, in UTF-8 bytes. */
    offset: number,
    /** The piece. */
    text: string, }
  | { "type": "tool-call-start",
    /** The call. */
    callId: CallId,
    /** The call of the specialist that made it. */
    parentCallId?: CallId,
    /** The tool. */
    tool: string,
    /** Its module. */
    module: string,
    /** What it does, in a few words. */
    title?: string,
    /** Whether it should not be animated. */
    quiet?: boolean,
    /** Resolved arguments, large values as previews. */
    arguments: { [key in string]: JsonValue },
    /** Parameter to variable. */
    references?: { [key in string]: string }, }
  | { "type": "tool-output-chunk",
    /** The call. */
    callId: CallId,
    /** Which output. */
    stream: Stream,
    /** Where it begins in that stream, in UTF-8 bytes. */
    offset: number,
    /** The piece. */
    chunk: string, }
  | { "type": "tool-call-end",
    /** The call. */
    callId: CallId,
    /** The tool. */
    tool: string,
    /** Whether it was started. */
    started: boolean,
    /** Whether it worked. */
    success: boolean,
    /** A few lines of the result. */
    preview: Array<string>,
    /** The variable that took the result. */
    outputVariable?: string,
    /** How long it ran. */
    durationMs: number,
    /** Whether it can be undone. */
    undoable: boolean,
    /** Empty on success. */
    error: string,
    /** What kind of error it is. */
    errorType?: ErrorType,
    /** What to do next. */
    suggestion?: string,
    /** What it changed in files, as a unified diff; a long one is cut and says so. */
    diff?: string,
    /** The earlier calls whose file changes it undid. */
    undid?: Array<CallId>,
    /** The pictures that it gave. */
    pictures?: Array<Resource>,
    /** What the tool says of its work beside the result, as numbers, words and yes or no: `files_read`. */
    fields?: { [key in string]: JsonValue }, }
  | { "type": "approval-request",
    /** The call. */
    callId: CallId,
    /** The tool. */
    tool: string,
    /** Its module. */
    module: string,
    /** Exactly what will run. */
    arguments: { [key in string]: JsonValue },
    /** What it may do. */
    risk: Risk,
    /** Why approval is needed. */
    reason: string,
    /** Whether it can be undone. */
    undoable: boolean,
    /** What it would do to files that are there, as a unified diff; it says where it is cut or cannot be made. */
    diff?: string,
    /** What `allow-session` would allow, in words. */
    covers?: string,
    /** When it is denied automatically, RFC 3339; absent: it waits until it is answered. */
    expiresAt?: string, }
  | { "type": "approval-resolved",
    /** The call. */
    callId: CallId,
    /** The answer. */
    decision: Decision,
    /** Who or what answered. */
    by: string, }
  | { "type": "context-update",
    /** New and changed ones. */
    set: Array<Variable>,
    /** Names that were removed. */
    removed: Array<string>, }
  | { "type": "context-state",
    /** The variables. */
    variables: Array<Variable>,
    /** The runs of tools. */
    operationHistory: Array<Operation>,
    /** Messages in the conversation. */
    chatHistoryLength: number,
    /** Windows that are open. */
    openWindows: Array<OpenWindow>, }
  | { "type": "context-cleared", }
  | { "type": "conversation-summary" } & ConversationSummary | { "type": "display-resource" } & OpenWindow | { "type": "close-window",
    /** The window. */
    windowId: string, }
  | { "type": "notification",
    /** Its id; sending the same id again replaces it. */
    notificationId: string,
    /** Its level. */
    level: Level,
    /** What it says. */
    message: string,
    /** How long it stays; 0 until dismissed. */
    durationMs: number,
    /** From 0 to 1. */
    progress?: number, }
  | { "type": "user-query",
    /** Its id. */
    queryId: QueryId,
    /** The call that asks. */
    callId?: CallId,
    /** What it is about. */
    kind: QueryKind,
    /** The question. */
    message: string,
    /** The answers to choose from. */
    choices?: Array<Choice>,
    /** The form: `{"action": "accept", "content": {…}}` or `{"action": "decline"}`. `choices` are for clients without forms. */
    fields?: Array<FormField>,
    /** When it is dismissed automatically, RFC 3339; absent: it waits until it is answered. */
    expiresAt?: string, }
  | { "type": "query-resolved",
    /** The question. */
    queryId: QueryId,
    /** The answer; absent when dismissed. */
    answer?: JsonValue, }
  | { "type": "agent-response",
    /** The messages that it answers. */
    messageIds: Array<string>,
    /** The reply, in markdown. */
    text: string,
    /** Tools that ran. */
    toolsUsed: Array<string>,
    /** Variables that were set. */
    contextUpdated: Array<string>,
    /** Why the turn went as it did. */
    reasoning: string,
    /** How many tools ran. */
    operationCount: number,
    /** Whether the request is fulfilled. */
    complete: boolean,
    /** The tokens it used. */
    usage?: Usage, }
  | { "type": "agent-error",
    /** The messages whose turn ended. */
    messageIds?: Array<string>,
    /** What happened, for people. */
    text: string,
    /** What happened, exactly. */
    error: string,
    /** A code for programs; `protocol-…` outside a turn. */
    code: string,
    /** The field that is wrong. */
    path?: string,
    /** Tools that were tried. */
    attemptedTools: Array<string>,
    /** What to do next. */
    suggestions: Array<string>,
    /** Whether sending the same again may work. */
    retryable: boolean,
    /** When to try again. */
    retryAfterMs?: number, }
  | { "type": "command-response",
    /** The command. */
    command: string,
    /** The answer, in markdown. */
    text: string,
    /** The session that the command made, by `/fork` or `/rerun`. */
    sessionId?: SessionId,
    /** How it is used. */
    usage?: string, }
  | { "type": "command-error",
    /** The command. */
    command: string,
    /** What is wrong. */
    text: string,
    /** How it is used. */
    usage?: string, }
  | { "type": "sessions-update",
    /** Sessions that are new or have changed, as they are now. */
    changed: Array<SessionSummary>,
    /** Sessions that are gone. */
    removed: Array<SessionId>,
    /** More has changed than is told: read the list again. */
    more?: boolean, }
  | { "type": "log-damaged",
    /** The first event that cannot be read. */
    fromSeq: number,
    /** What is lost and what to do, for people. */
    text: string, }
  | { "type": "pong", };

/** A session: a random UUID, so that it cannot be guessed. */
export type SessionId = string;

/** A session as lists show it. */
export type SessionSummary = {
    /** Its id. */
    sessionId: SessionId,
    /** Its title, if it has one: taken from its first message, or given by somebody. */
    title?: string,
    /** RFC 3339. */
    createdAt: string,
    /** When its last event was, RFC 3339. */
    updatedAt: string,
    /** Its last event; 0 if it has none. */
    lastSeq: number,
    /** It is kept at the top of the list. */
    pinned?: boolean,
    /** Where it was forked from, if it was; search results do not say. */
    forkedFrom?: ForkedFrom, };

/** The state of the session, for a client that did not read the log from its beginning. */
export type Snapshot = {
    /** The variables. */
    variables: Array<Variable>,
    /** The session's title. */
    title?: string,
    /** How full the context window is, if a model has one. */
    contextTokens?: TokenGauge,
    /** Windows that are open. */
    openWindows: Array<OpenWindow>,
    /** Notifications that stay, and the progress of the turn that runs. */
    notifications?: Array<Notification>,
    /** The oldest event that follows; older ones are fetched by page. */
    firstSeq: number, };

/** Where a turn is. */
export type Step = "analyzing" | "searching" | "selecting" | "executing" | "deciding" | "responding";

/** What a chunk of a tool's output is. */
export type Stream = "stdout" | "stderr" | "progress";

/** How full the context window is. */
export type TokenGauge = {
    /** Tokens used. */
    used: number,
    /** Tokens available. */
    limit: number, };

/** A tool as the catalogue shows it. */
export type ToolDefinition = {
    /** snake_case, unique in the registry. */
    name: string,
    /** What it does, in a sentence or two. */
    description: string,
    /** The module it belongs to, such as `files`. */
    module: string,
    /** JSON Schema of its arguments: an object. */
    parameters: JsonValue,
    /** JSON Schema of its value. */
    output?: JsonValue,
    /** Arguments of an example call. */
    example: JsonValue,
    /** What running it may do. */
    risk: Risk,
    /** Sentences that ask for it, `{place}` standing for an argument: by them it is understood without a model. */
    examples: Array<string>, };

/** The tokens that a turn used. */
export type Usage = {
    /** Tokens sent. */
    inputTokens: number,
    /** Tokens received. */
    outputTokens: number, };

/** The type of an artifact's value. */
export type ValueType = "object" | "array" | "number" | "boolean" | "null" | "text" | "bytes";

/** An artifact as clients see it: the value itself is fetched when wanted. */
export type Variable = {
    /** `[A-Za-z_][A-Za-z0-9_]{0,63}`. */
    name: string,
    /** From 1; each new value under the name is the next version. */
    version: number,
    /** What kind of value it is. */
    type: ValueType,
    /** A short form of the value. */
    preview: string,
    /** The value's size: of the text, of the bytes, or of the JSON text. */
    bytes: number,
    /** Where it came from. */
    origin: Origin,
    /** One of the variables it was made from has changed since. */
    stale: boolean, };

/** How a window shows its resource. */
export type ViewerType = "editor" | "image" | "directory" | "table" | "markdown" | "pdf" | "diff" | "chart";
