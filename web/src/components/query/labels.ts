//! The words of the answers to a question.

import { t } from "../../i18n";
import type { Choice, QueryKind } from "../../protocol/generated";

/** What a choice is called: those of a plan and of a connection in the page's language, others as the server says. */
export function labelOf(kind: QueryKind, choice: Choice): string {
  const network: Record<string, string> = t.dialogs.query.network;
  if (kind === "network") return network[String(choice.value)] ?? choice.label;
  const { yes, no } = t.dialogs.query.plan;
  if (kind !== "plan") return choice.label;
  return choice.value === "yes" ? yes : choice.value === "no" ? no : choice.label;
}
