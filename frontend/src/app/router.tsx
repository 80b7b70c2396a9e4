import { createBrowserRouter } from "react-router";

import { Shell } from "./shell";

/** Every page is loaded when it is first opened. */
export const router = createBrowserRouter([
  {
    path: "/",
    element: <Shell />,
    children: [
      {
        path: "runs/:id",
        lazy: async () => ({ Component: (await import("@/features/run/run-page")).default }),
      },
    ],
  },
]);
