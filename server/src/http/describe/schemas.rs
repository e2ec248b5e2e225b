//! The schemas that the paths refer to, by the names of their types.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use switchboard_protocol::{ServerFrame, SessionSummary, schema};

use crate::http::agents::{AgentList, AgentSwitch, UsageList};
use crate::http::answers::{ApprovalReply, QueryReply};
use crate::http::auth::Login;
use crate::http::branches::BranchList;
use crate::http::error::ProblemDetails;
use crate::http::events::EventPage;
use crate::http::mcp::{McpChange, McpServerList};
use crate::http::messages::NewMessage;
use crate::http::permissions::PermissionList;
use crate::http::providers::{ActiveModel, NewProvider, ProviderList};
use crate::http::search::SearchResults;
use crate::http::sessions::{ContextState, NewSession, SessionChange, SessionList};
use crate::http::tools::ToolList;
use crate::http::uploads::Upload;

/// All of them.
pub(super) fn all() -> Map<String, Value> {
    let mut generator = generator();
    generator.subschema_for::<ProblemDetails>();
    generator.subschema_for::<SessionList>();
    generator.subschema_for::<SessionSummary>();
    generator.subschema_for::<SearchResults>();
    generator.subschema_for::<Upload>();
    generator.subschema_for::<NewSession>();
    generator.subschema_for::<SessionChange>();
    generator.subschema_for::<BranchList>();
    generator.subschema_for::<ContextState>();
    generator.subschema_for::<EventPage>();
    generator.subschema_for::<NewMessage>();
    generator.subschema_for::<ApprovalReply>();
    generator.subschema_for::<QueryReply>();
    generator.subschema_for::<ServerFrame>();
    generator.subschema_for::<ToolList>();
    generator.subschema_for::<UsageList>();
    generator.subschema_for::<AgentList>();
    generator.subschema_for::<AgentSwitch>();
    generator.subschema_for::<McpServerList>();
    generator.subschema_for::<McpChange>();
    generator.subschema_for::<PermissionList>();
    generator.subschema_for::<ProviderList>();
    generator.subschema_for::<ActiveModel>();
    generator.subschema_for::<NewProvider>();
    generator.subschema_for::<Login>();
    generator.take_definitions(true)
}

fn generator() -> SchemaGenerator {
    schema::generator(
        SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = "/components/schemas".into()),
    )
}
