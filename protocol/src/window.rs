//! What the UI shows beside the conversation: windows and notifications.

words! {
    /// How a window shows its resource.
    pub enum ViewerType {
        /// Source code and text.
        Editor,
        /// An image.
        Image,
        /// A folder's files.
        Directory,
        /// Rows and columns.
        Table,
        /// Rendered markdown.
        Markdown,
        /// A PDF.
        Pdf,
        /// Two versions of a text beside each other.
        Diff,
        /// A chart.
        Chart,
    }
}

wire! {
    /// Something that a window shows.
    pub struct Resource {
        /// Where it is: `file:<path>`, `var:<name>@<version>` or `call:<id>/<n>`. It names no session, so that forks and
        /// imports show their own; a client fetches `/api/sessions/<its session>/resources/<handle, percent-encoded>`.
        pub handle: String,
        /// Its media type.
        pub mime_type: String,
        /// Its size in bytes; 0 for a folder.
        pub bytes: u64,
    }
}

wire! {
    /// What a window showed before.
    pub struct EarlierView {
        /// How it was shown.
        pub viewer_type: ViewerType,
        /// The title.
        pub title: String,
        /// What was shown.
        pub resource: Resource,
    }
}

wire! {
    /// A window of the UI and what it shows.
    pub struct OpenWindow {
        /// Its id.
        pub window_id: String,
        /// How it shows its resource.
        pub viewer_type: ViewerType,
        /// Its title.
        pub title: String,
        /// What it shows.
        pub resource: Resource,
        /// What it showed before, the oldest first: 9 at most.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub earlier: Option<Vec<EarlierView>>,
    }
}

words! {
    /// The level of a notification.
    pub enum Level {
        /// For information.
        Info,
        /// Something succeeded.
        Success,
        /// Something failed.
        Error,
        /// Something is in progress.
        Progress,
    }
}

wire! {
    /// A notification that stays: one without an end, or the progress of a turn that runs.
    pub struct Notification {
        /// Its id; the same id again replaces it.
        pub notification_id: String,
        /// Its level.
        pub level: Level,
        /// What it says.
        pub message: String,
        /// How long it stays; 0 until dismissed.
        pub duration_ms: u64,
        /// From 0 to 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub progress: Option<f64>,
        /// The turn whose end also ends it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub turn_id: Option<crate::MessageId>,
    }
}
