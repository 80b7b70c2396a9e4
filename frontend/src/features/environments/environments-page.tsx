import { useQuery } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";

import { Badge } from "@/components/badge";
import { Button } from "@/components/button";
import { PageBar } from "@/components/page-bar";
import { Panel } from "@/components/panel";
import { ErrorState, SkeletonRows } from "@/components/states";
import { sessionQuery } from "@/lib/api/queries";

import { environmentsQuery, type Environment } from "./api/environments";
import { ImportDialog } from "./components/import-dialog";
import { SupportList } from "./components/support-list";
import styles from "./environments-page.module.css";

/** Every kind of environment: its suites of tasks, what works here, and what is missing. */
export default function EnvironmentsPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(environmentsQuery);
  const staff = useQuery(sessionQuery).data?.user?.is_staff === true;
  const [into, setInto] = useState<Environment | null>(null);
  return (
    <>
      <PageBar crumbs={[{ label: t("shell.environments") }]} />
      {data === undefined ? (
        error === null ? <SkeletonRows rows={10} height={44} /> : <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={styles["page"]}>
          {data.map((environment) => (
            <Panel
              key={environment.name}
              title={environment.title}
              count={t("environments.tasks", { count: environment.suites.reduce((sum, suite) => sum + suite.tasks, 0) })}
              actions={staff && <Button kind="quiet" icon={<Upload />} onClick={() => setInto(environment)}>{t("environments.import")}</Button>}
            >
              <p className={styles["description"]}>
                {environment.support[0]?.supported === false && <Badge tone="warning">{t("environments.not_here")}</Badge>} {environment.description}
              </p>
              <Suites environment={environment} />
              {environment.support.length > 0 && <SupportList support={environment.support} />}
            </Panel>
          ))}
        </div>
      )}
      {into !== null && <ImportDialog environment={into} onClose={() => setInto(null)} />}
    </>
  );
}

function Suites({ environment }: { environment: Environment }) {
  const { t } = useTranslation();
  if (environment.suites.length === 0) return <p className={styles["none"]}>{t("environments.no_suite")}</p>;
  return (
    <ul className={styles["suites"]}>
      {environment.suites.map((suite) => (
        <li key={suite.name}>
          <Link to={`/environments/${encodeURIComponent(suite.name)}`} className={styles["suite"]}>
            <span className={styles["name"]}>{suite.name}</span>
            <span className={styles["title"]}>{suite.title}</span>
            {suite.imported && <Badge>{t("environments.imported")}</Badge>}
            <span className={styles["count"]}>{suite.tasks.toLocaleString("en-US")}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
