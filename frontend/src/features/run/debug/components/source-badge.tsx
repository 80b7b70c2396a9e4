import { Pencil, Repeat, UserRound, VenetianMask } from "lucide-react";
import { useTranslation } from "react-i18next";

import { Badge } from "@/components/badge";
import type { Event } from "@/generated/events";

import { useFromStore, useRunPlace } from "../../model/run-context";
import { editsOf } from "../model/edits";
import { sourceOf } from "../model/source";

/** Replayed, mocked, or answered by a person: said of every outcome that was not really carried out. */
export function SourceBadge({ event }: { event: Event | undefined }) {
  const { t } = useTranslation();
  const source = sourceOf(event);
  if (source === null) return null;
  if (source.from === "replay") {
    return <Badge tone="info" icon={<Repeat aria-hidden />} title={t("debug.source.replay_title", { seq: source.seq ?? "?" })}>{t("debug.source.replay")}</Badge>;
  }
  if (source.from === "mock") return <Badge tone="warning" icon={<VenetianMask aria-hidden />} title={t("debug.source.mock_title")}>{t("debug.source.mock")}</Badge>;
  return <Badge family="person" icon={<UserRound aria-hidden />} title={t("debug.source.person_title", { name: source.name })}>{t("debug.source.person", { name: source.name })}</Badge>;
}

/** Marks an event that a person changed; who did stands in the title. */
export function EditedBadge({ seq }: { seq: number }) {
  const { t } = useTranslation();
  const { store } = useRunPlace().session;
  const count = useFromStore(() => editsOf(store, seq).length);
  if (count === 0) return null;
  const last = editsOf(store, seq).at(-1);
  return (
    <Badge family="person" icon={<Pencil aria-hidden />} title={t("debug.edited.title", { by: last?.by ?? "?", seq: last?.seq ?? 0 })}>
      {t("debug.edited.badge")}
    </Badge>
  );
}
