import { lazy, type ComponentType } from "react";
import { createBrowserRouter, type RouteObject } from "react-router";

import { NotFound } from "./not-found";
import { PageError } from "./page-error";
import { Shell } from "./shell";

/** A page is loaded when it is first opened; the shell stands meanwhile. */
function page(path: string, load: () => Promise<{ default: ComponentType }>): RouteObject {
  const Page = lazy(load);
  return { path, element: <Page />, errorElement: <PageError /> };
}

export const router = createBrowserRouter([
  {
    path: "/",
    element: <Shell />,
    children: [
      page("", () => import("@/features/home/home-page")),
      page("runs", () => import("@/features/runs/runs-page")),
      page("runs/:id", () => import("@/features/run/run-page")),
      page("teams", () => import("@/features/teams/teams-page")),
      page("teams/:id", () => import("@/features/teams/team-page")),
      page("tasks", () => import("@/features/tasks/tasks-page")),
      page("tools", () => import("@/features/tools/tools-page")),
      page("tools/:name", () => import("@/features/tools/tool-page")),
      page("environments", () => import("@/features/environments/environments-page")),
      page("environments/:suite", () => import("@/features/environments/suite-page")),
      page("environments/:suite/:task", () => import("@/features/environments/task-page")),
      page("workers", () => import("@/features/workers/workers-page")),
      page("settings", () => import("@/features/settings/settings-page")),
      { path: "*", element: <NotFound /> },
    ],
  },
]);
