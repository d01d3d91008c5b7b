//! How a command behaves: whether it hears Ctrl-C itself, and whether it prints JSON.

use super::{
    AccountAction, ArtifactAction, AuditAction, Claims, Command, Compare, DocumentForm, EvalAction,
    EvalClaims, EvalRetrieval, Funnel, Import, Ingest, Invite, McpAction, Models, ModelsAction, Place,
    Search, SessionAction,
};

impl Command {
    /// Whether all files that come of it are Tata's own, for their owner alone. The others may start programs of the
    /// person, such as servers of tools, whose files are the person's.
    pub(crate) fn makes_own_files(&self) -> bool {
        matches!(
            self,
            Self::Serve(_)
                | Self::Ingest(_)
                | Self::Docs { .. }
                | Self::Search(_)
                | Self::Demo { .. }
                | Self::Account { .. }
                | Self::Session { action: SessionAction::Export { .. } | SessionAction::Delete { .. } }
        )
    }

    /// Whether it runs turns and so stops them itself: the first Ctrl-C ends an answer, not the program.
    pub(crate) fn hears_ctrl_c(&self) -> bool {
        match self {
            Self::Chat(_)
            | Self::Ask(_)
            | Self::Run(_)
            | Self::Funnel(_)
            | Self::Invite(_)
            | Self::Compare(_)
            | Self::Serve(_)
            | Self::Artifact { action: ArtifactAction::Restore { .. } }
            | Self::Mcp { action: McpAction::Serve | McpAction::Test { .. } | McpAction::SignIn { .. } }
            | Self::Session { action: SessionAction::Resume { .. } } => true,
            Self::Session { .. }
            | Self::Account { .. }
            | Self::Artifact { .. }
            | Self::Di(_)
            | Self::Review(_)
            | Self::Claims(_)
            | Self::Eval { .. }
            | Self::Ingest(_)
            | Self::Docs { .. }
            | Self::Search(_)
            | Self::Import(_)
            | Self::Agents(_)
            | Self::Models(_)
            | Self::Demo { .. }
            | Self::Doctor { .. }
            | Self::Trust(_)
            | Self::Mcp { .. }
            | Self::Audit { .. }
            | Self::Completions { .. } => false,
        }
    }

    /// Whether the person, or more likely the program, asked for JSON.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Ask(ask) => ask.json || ask.jsonl,
            Self::Session { action: SessionAction::List { json, .. } | SessionAction::Show { json, .. } }
            | Self::Account { action: AccountAction::List { json, .. } }
            | Self::Artifact { action: ArtifactAction::List { json, .. } }
            | Self::Eval {
                action:
                    EvalAction::Di { json, .. }
                    | EvalAction::Claims(EvalClaims { json, .. })
                    | EvalAction::Retrieval(EvalRetrieval { json, .. }),
            }
            | Self::Ingest(Ingest { json, .. })
            | Self::Search(Search { json, .. })
            | Self::Import(Import { json, .. })
            | Self::Compare(Compare { json, .. })
            | Self::Funnel(Funnel { place: Place { json, .. }, .. })
            | Self::Invite(Invite { place: Place { json, .. }, .. })
            | Self::Claims(Claims { json, .. })
            | Self::Demo { json, .. }
            | Self::Doctor { json, .. }
            | Self::Mcp { action: McpAction::List { json, .. } | McpAction::Test { json, .. } }
            | Self::Audit { action: AuditAction::Verify { json } | AuditAction::List { json } }
            | Self::Models(Models { action: None, json }) => *json,
            Self::Docs { action } => action.wants_json(),
            Self::Run(run) => run.json,
            Self::Trust(trust) => trust.json,
            Self::Di(di) => di.output.wants_json(),
            Self::Review(review) => review.output.wants_json(),
            Self::Artifact { action: ArtifactAction::Show { format, .. } } => *format == DocumentForm::Json,
            Self::Agents(agents) => agents.json,
            Self::Models(Models {
                action: Some(ModelsAction::Check { json, .. } | ModelsAction::List { json, .. }),
                json: before,
            }) => *json || *before,
            Self::Models(Models { action: Some(ModelsAction::Example | ModelsAction::Catalog), .. })
            | Self::Chat(_)
            | Self::Session { .. }
            | Self::Serve(_)
            | Self::Account { .. }
            | Self::Artifact { .. }
            | Self::Mcp { .. }
            | Self::Completions { .. } => false,
        }
    }
}
