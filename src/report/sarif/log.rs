//! The part of a SARIF log that reports use, field by field.
//!
//! See: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, section 3. Own types, since the kept
//! crate for it (serde-sarif) generates its types at build time through a generator that is not kept.

use serde::Serialize;

fn none<T>(list: &[T]) -> bool {
    list.is_empty()
}

/// Section 3.13.
#[derive(Debug, Serialize)]
pub struct Log {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: Vec<Run>,
}

/// Section 3.14.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub tool: Tool,
    pub taxonomies: Vec<ToolComponent>,
    pub invocations: Vec<Invocation>,
    pub artifacts: Vec<Artifact>,
    pub column_kind: &'static str,
    pub results: Vec<Finding>,
}

/// Section 3.18.
#[derive(Debug, Serialize)]
pub struct Tool {
    pub driver: ToolComponent,
}

/// Section 3.19: the tool itself, or a taxonomy.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolComponent {
    pub name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic_version: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub information_uri: Option<&'static str>,
    pub short_description: Text,
    #[serde(skip_serializing_if = "none")]
    pub supported_taxonomies: Vec<ComponentReference>,
    #[serde(skip_serializing_if = "none")]
    pub rules: Vec<Rule>,
    #[serde(skip_serializing_if = "none")]
    pub notifications: Vec<Rule>,
    #[serde(skip_serializing_if = "none")]
    pub taxa: Vec<Rule>,
}

/// Section 3.54.
#[derive(Debug, Serialize)]
pub struct ComponentReference {
    pub name: &'static str,
}

/// Section 3.49: a rule, a kind of notification, or an entry of a taxonomy.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub short_description: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_description: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_uri: Option<String>,
    #[serde(skip_serializing_if = "none")]
    pub relationships: Vec<Relationship>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_configuration: Option<Configuration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<Tags>,
}

/// Section 3.50.
#[derive(Debug, Serialize)]
pub struct Configuration {
    pub level: &'static str,
}

/// Tags of a rule (section 3.8.2); code hosts show `external/cwe/...` as links, and order alerts by their severity.
#[derive(Debug, Serialize)]
pub struct Tags {
    pub tags: Vec<String>,
    pub precision: &'static str,
    /// From 0 to 10, as the Common Vulnerability Scoring System has it, of rules with the tag `security`.
    #[serde(rename = "security-severity", skip_serializing_if = "Option::is_none")]
    pub security_severity: Option<&'static str>,
}

/// Section 3.53.
#[derive(Debug, Serialize)]
pub struct Relationship {
    pub target: RuleReference,
    pub kinds: Vec<&'static str>,
}

/// Section 3.52.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleReference {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_component: Option<ComponentReference>,
}

/// Section 3.11 and 3.12, as far as plain text goes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Text {
    pub text: String,
}

/// Section 3.20.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation {
    pub execution_successful: bool,
    pub exit_code: u8,
    pub arguments: Vec<String>,
    pub tool_execution_notifications: Vec<Notification>,
}

/// Section 3.58.
#[derive(Debug, Serialize)]
pub struct Notification {
    pub descriptor: RuleReference,
    pub level: &'static str,
    pub message: Text,
    #[serde(skip_serializing_if = "none")]
    pub locations: Vec<Location>,
}

/// Section 3.24.
#[derive(Debug, Serialize)]
pub struct Artifact {
    pub location: ArtifactLocation,
}

/// Section 3.4.
#[derive(Clone, Debug, Serialize)]
pub struct ArtifactLocation {
    pub uri: String,
}

/// Section 3.27: a result.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub rule_id: String,
    pub rule_index: usize,
    pub kind: &'static str,
    pub level: &'static str,
    pub message: Text,
    pub locations: Vec<Location>,
    pub partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "none")]
    pub code_flows: Vec<CodeFlow>,
    #[serde(skip_serializing_if = "none")]
    pub taxa: Vec<RuleReference>,
    #[serde(skip_serializing_if = "none")]
    pub fixes: Vec<Fix>,
    #[serde(skip_serializing_if = "none")]
    pub suppressions: Vec<Suppression>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_state: Option<&'static str>,
    pub properties: Properties,
}

/// Section 3.35.
#[derive(Debug, Serialize)]
pub struct Suppression {
    pub kind: &'static str,
    pub justification: String,
}

/// Section 3.27.17: the id of the finding, under a name that tells how it is made.
#[derive(Debug, Serialize)]
pub struct Fingerprints {
    #[serde(rename = "cellogFinding/v1")]
    pub id: String,
}

/// What SARIF has no field for (section 3.8).
#[derive(Debug, Serialize)]
pub struct Properties {
    pub verdict: &'static str,
    pub engine: String,
    pub replayed: bool,
    /// The fingerprint of the first check of the access that this is one of several checks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The fingerprints of definite errors that the verdict assumes away.
    #[serde(skip_serializing_if = "none")]
    pub after_error: Vec<String>,
    /// Where it stands: the lower, the earlier it is worth a look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<i64>,
    /// What keeps it open, as a clause that others may share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
}

/// Section 3.28.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "none")]
    pub logical_locations: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Text>,
}

/// Section 3.29.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhysicalLocation {
    pub artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
}

/// Section 3.30.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    pub start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
}

/// Section 3.33.
#[derive(Debug, Serialize)]
pub struct LogicalLocation {
    pub name: String,
    pub kind: &'static str,
}

/// Section 3.36.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeFlow {
    pub message: Text,
    pub thread_flows: Vec<ThreadFlow>,
}

/// Section 3.37.
#[derive(Debug, Serialize)]
pub struct ThreadFlow {
    pub locations: Vec<FlowStep>,
}

/// Section 3.38.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlowStep {
    pub location: Location,
    pub nesting_level: u32,
    pub importance: &'static str,
}

/// Section 3.55.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fix {
    pub description: Text,
    pub artifact_changes: Vec<ArtifactChange>,
}

/// Section 3.56.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactChange {
    pub artifact_location: ArtifactLocation,
    pub replacements: Vec<Replacement>,
}

/// Section 3.57.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replacement {
    pub deleted_region: DeletedRegion,
    pub inserted_content: Text,
}

/// Section 3.30: a region that may be empty, where nothing is deleted.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletedRegion {
    pub start_line: u32,
    pub start_column: u32,
    pub end_line: u32,
    pub end_column: u32,
}
