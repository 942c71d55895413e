const checks = new Set<() => boolean>();

/** Watches input that a sign-out must not lose. Returns a function that ends it. */
export function watchInput(isUnsaved: () => boolean): () => void {
  checks.add(isUnsaved);
  return () => {
    checks.delete(isUnsaved);
  };
}

/** Returns true if a dialog or form of this tab has unsaved input. */
export function hasUnsavedInput(): boolean {
  return [...checks].some((isUnsaved) => isUnsaved());
}
