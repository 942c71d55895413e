// Runs before the page is drawn, so that neither colors nor tabs change afterwards.
(() => {
  const root = document.documentElement;
  const stored = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const theme = stored('docs-theme');
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
  root.dataset.language = stored('docs-language') ?? 'sh';
})();
