import { useTranslation } from "react-i18next";

import { fieldsOf, type Schema } from "@/lib/json-schema";

import styles from "./schema-table.module.css";
import { CopyButton } from "./values";

/** The arguments of a tool or action: name, type, whether needed, what it means; the raw schema folds out. */
export function SchemaTable({ schema }: { schema: Schema }) {
  const { t } = useTranslation();
  const fields = fieldsOf(schema);
  const raw = JSON.stringify(schema, null, 2);
  return (
    <div className={styles["schema"]}>
      {fields.length === 0 ? (
        <p className={styles["none"]}>{t("forms.no_fields")}</p>
      ) : (
        <dl className={styles["fields"]}>
          {fields.map((field) => (
            <div key={field.name} className={styles["field"]}>
              <dt>
                <code className={styles["name"]}>{field.name}</code>
                {field.required && <span className={styles["needed"]}>{t("forms.needed")}</span>}
              </dt>
              <dd>
                <code className={styles["type"]}>{field.type}</code>
                {field.description !== "" && <span>{field.description}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <details className={styles["raw"]}>
        <summary>{t("forms.raw_schema")}</summary>
        <div className={styles["code"]}>
          <CopyButton text={raw} />
          <pre tabIndex={0}>{raw}</pre>
        </div>
      </details>
    </div>
  );
}
