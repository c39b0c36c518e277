//! rmcp's handler: one line a method, each into the guard. The only module that names the
//! protocol's types.

use super::Guard;
use super::call::Outcome;
use bb_contract::{Answer, JsonObject};
use bb_generated::registry;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    CustomRequest, CustomResult, DiscoverResult, ErrorCode, ErrorData, Implementation,
    ListToolsResult, MetaObject, PaginatedRequestParams, ProtocolVersion, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};
use std::borrow::Cow;

/// How long a list may be kept; ours do not change while the process lives.
const LIST_TTL_MS: u64 = 3_600_000;
/// Where results of the newest revision name the server.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// Methods whose malformed parameters rmcp hands on as a request it does not know.
const KNOWN_METHODS: &[&str] = &["tools/call", "tools/list"];

impl ServerHandler for Guard {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(implementation())
            .with_instructions(self.instructions())
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = ServerHandler::supported_protocol_versions(self).into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Private))
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if page.is_some_and(|page| page.cursor.is_some()) {
            return Err(ErrorData::invalid_params(
                "the list has one page; ask without a cursor",
                None,
            ));
        }
        let mut result = ListToolsResult::with_all_items(self.listed.clone());
        if is_modern(&context) {
            result = result.with_ttl_ms(LIST_TTL_MS).with_cache_scope(CacheScope::Private);
            stamp(&mut result.meta);
        }
        Ok(result)
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let members: JsonObject = call.arguments.unwrap_or_default();
        let mut result = match self.call(&call.name, members, context.ct.cancelled()).await {
            Outcome::Answered(answer) => answered(answer)?,
            Outcome::Failed(error) => {
                CallToolResult::error(vec![ContentBlock::text(error.message)])
            }
            Outcome::Denied(text) => CallToolResult::error(vec![ContentBlock::text(text)]),
            Outcome::Unknown => return Err(unknown_tool(&call.name)),
            Outcome::Cancelled => return Err(ErrorData::internal_error("cancelled", None)),
            Outcome::Panicked => {
                return Err(ErrorData::internal_error("this server failed inside", None));
            }
        };
        if is_modern(&context) {
            stamp(&mut result.meta);
        }
        Ok(result.into())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.listed.iter().find(|tool| tool.name == name).cloned()
    }

    /// rmcp hands a request whose parameters have the wrong shape on as one it does not know.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if KNOWN_METHODS.contains(&request.method.as_str()) {
            let message = format!(
                "the parameters of {} do not have the shape the protocol gives them",
                request.method
            );
            return Err(ErrorData::invalid_params(message, None));
        }
        let method: String =
            bb_contract::text::visible(&request.method).chars().take(100).collect();
        Err(ErrorData::new(
            ErrorCode::METHOD_NOT_FOUND,
            format!("this server has no method {method}"),
            None,
        ))
    }
}

impl Guard {
    fn instructions(&self) -> String {
        let text = registry::INSTRUCTIONS.trim();
        match &self.scope {
            Some(scope) => {
                let filled = if scope.repo().is_some() {
                    "`project` and `repo` are"
                } else {
                    "`project` is"
                };
                format!(
                    "{text} This server is confined to {scope}: {filled} filled in when left out, and anything else is refused."
                )
            }
            None => text.to_owned(),
        }
    }
}

fn implementation() -> Implementation {
    Implementation::new("bb", env!("CARGO_PKG_VERSION")).with_title(registry::TITLE)
}

/// Whether the request is of a revision without a handshake.
fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| !version.has_initialize())
}

fn stamp(meta: &mut Option<MetaObject>) {
    let info =
        json!({"name": "bb", "title": registry::TITLE, "version": env!("CARGO_PKG_VERSION")});
    meta.get_or_insert_default().insert(SERVER_INFO.to_owned(), info);
}

fn unknown_tool(name: &str) -> ErrorData {
    let shown: String = bb_contract::text::visible(name).chars().take(100).collect();
    ErrorData::invalid_params(
        format!("there is no tool {shown}; tools/list names those there are"),
        None,
    )
}

fn answered(answer: Answer) -> Result<CallToolResult, ErrorData> {
    let Some(structured) = answer.structured else {
        return Ok(with_meta(
            CallToolResult::success(vec![ContentBlock::text(answer.text)]),
            answer.meta,
        ));
    };
    let value = Value::Object(structured);
    let text = if answer.text.is_empty() { value.to_string() } else { answer.text };
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(value);
    Ok(with_meta(result, answer.meta))
}

fn with_meta(mut result: CallToolResult, meta: Option<JsonObject>) -> CallToolResult {
    for (name, value) in meta.into_iter().flatten() {
        result.meta.get_or_insert_default().insert(name, value);
    }
    result
}
