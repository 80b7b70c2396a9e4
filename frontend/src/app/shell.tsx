import { useState } from "react";
import { Outlet } from "react-router";

import { PageBarPlace } from "@/components/page-bar";

/** The frame round every page. */
export function Shell() {
  const [bar, setBar] = useState<HTMLElement | null>(null);
  return (
    <PageBarPlace value={bar}>
      <header ref={setBar} />
      <main>
        <Outlet />
      </main>
    </PageBarPlace>
  );
}
