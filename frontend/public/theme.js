// Runs before the first paint, so that the page never flashes in the other theme.
// A file and not an inline script: the content security policy allows own files only.
(function () {
  var choice = null;
  try {
    choice = JSON.parse(localStorage.getItem("aworld.theme") || "null");
  } catch (_) {
    // Storage is blocked or holds something else: follow the system.
  }
  var dark =
    choice === "dark" ||
    (choice !== "light" && window.matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
})();
