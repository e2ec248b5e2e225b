//! What the UI shows beside the conversation: windows and notifications.

words! {
    /// The window a resource is shown in.
    pub enum ViewerType {
        /// Source code and text.
        Code,
        /// An image.
        Image,
        /// Rendered markdown.
        Markdown,
        /// JSON as a tree.
        Json,
        /// A web page in a sandbox.
        Web,
    }
}

wire! {
    /// Something that a window shows.
    pub struct Resource {
        /// Its name, such as `switchboard://variable/config`.
        pub uri: String,
        /// Its media type.
        pub mime_type: String,
        /// Its size in bytes.
        pub bytes: u64,
        /// Where to fetch it.
        pub url: String,
    }
}

wire! {
    /// A window of the UI and what it shows.
    pub struct OpenWindow {
        /// Its id.
        pub window_id: String,
        /// Its kind.
        pub viewer_type: ViewerType,
        /// Its title.
        pub title: String,
        /// What it shows.
        pub resource: Resource,
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
