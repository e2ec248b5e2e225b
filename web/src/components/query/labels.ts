//! The words of the answers to a question.

import { t } from "../../i18n";
import type { Choice, QueryKind } from "../../protocol/generated";

/** The questions whose choices are always the same. */
const KNOWN: Partial<Record<QueryKind, Record<string, string>>> = {
  network: t.dialogs.query.network,
  outcome: t.dialogs.query.outcome,
  plan: t.dialogs.query.plan,
};

/** What a choice is called: those that are always the same in the page's language, others as the server says. */
export function labelOf(kind: QueryKind, { value, label }: Choice): string {
  return KNOWN[kind]?.[String(value)] ?? label;
}
