import "@fontsource-variable/inter/index.css";
import "@fontsource/jetbrains-mono/latin-400.css";
import "@fontsource/jetbrains-mono/latin-600.css";
import "@/styles/tokens.css";
import "@/styles/base.css";
import "@/lib/i18n";

import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";

import { TooltipProvider } from "@/components/tooltip";
import { createQueryClient } from "@/lib/api/query";

import { router } from "./app/router";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element #root to draw into.");

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider delayDuration={400}>
        <RouterProvider router={router} />
      </TooltipProvider>
    </QueryClientProvider>
  </StrictMode>,
);
