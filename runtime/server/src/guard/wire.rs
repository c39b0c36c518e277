//! rmcp's handler: one line a method, each into the guard. The only module that names the
//! protocol's types.

use super::call::Outcome;
use super::{Guard, views};
use bb_contract::{Answer, JsonObject};
use bb_generated::registry;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    CustomRequest, CustomResult, DiscoverResult, ErrorCode, ErrorData, Implementation,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, MetaObject,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ResourceContents, ServerCapabilities, ServerConfig, Tool,
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
const KNOWN_METHODS: &[&str] =
    &["tools/call", "tools/list", "resources/read", "resources/list", "resources/templates/list"];

impl ServerHandler for Guard {
    fn get_info(&self) -> ServerConfig {
        let extensions =
            [(views::EXTENSION.to_owned(), object(views::announcement()))].into_iter().collect();
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_extensions_with(extensions)
            .build();
        ServerConfig::new(capabilities)
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
        only_page(page)?;
        let mut result = ListToolsResult::with_all_items(self.listed.told(draws(&context)));
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
        let mut result =
            match self.call(&call.name, members, draws(&context), context.ct.cancelled()).await {
                Outcome::Answered(answer) => answered(*answer)?,
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
        self.listed.find(name)
    }

    /// The page alone is read here, and it holds nothing of Bitbucket: no scope bounds it.
    async fn read_resource(
        &self,
        read: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some((uri, mime_type, text, ui)) = views::resource(&read.uri) else {
            let shown: String = bb_contract::text::visible(&read.uri).chars().take(200).collect();
            let message = format!("there is no resource {shown}");
            return Err(ErrorData::resource_not_found(message, Some(json!({ "uri": shown }))));
        };
        let mut meta = MetaObject::new();
        meta.insert("ui".to_owned(), ui);
        let contents = ResourceContents::text(text, uri).with_mime_type(mime_type).with_meta(meta);
        let mut result = ReadResourceResult::new(vec![contents]);
        if is_modern(&context) {
            result = result.with_ttl_ms(LIST_TTL_MS).with_cache_scope(CacheScope::Public);
            stamp(&mut result.meta);
        }
        Ok(result.into())
    }

    /// The page is not listed: nobody reads it but a host that draws a view.
    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        only_page(page)?;
        let mut result = ListResourcesResult::with_all_items(Vec::new());
        if is_modern(&context) {
            result = result.with_ttl_ms(LIST_TTL_MS).with_cache_scope(CacheScope::Private);
            stamp(&mut result.meta);
        }
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        only_page(page)?;
        let mut result = ListResourceTemplatesResult::with_all_items(Vec::new());
        if is_modern(&context) {
            result = result.with_ttl_ms(LIST_TTL_MS).with_cache_scope(CacheScope::Private);
            stamp(&mut result.meta);
        }
        Ok(result)
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

/// Whether the client of this request draws views: by what the request says, else the handshake.
fn draws(context: &RequestContext<RoleServer>) -> bool {
    let extensions = context.client_capabilities().and_then(|capabilities| capabilities.extensions);
    let declared = extensions.and_then(|all| all.get(views::EXTENSION).cloned()).map(Value::Object);
    views::draws(declared.as_ref())
}

/// Every list has one page, and nobody has a cursor for another.
fn only_page(page: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match page.and_then(|page| page.cursor) {
        None => Ok(()),
        Some(_) => {
            Err(ErrorData::invalid_params("the list has one page; ask without a cursor", None))
        }
    }
}

fn object(value: Value) -> JsonObject {
    value.as_object().cloned().unwrap_or_default()
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
