const checks = new Set<() => boolean>();

/** Watches an input that a sign-out must not drop. Returns a function that ends it. */
export function watchInput(isUnsaved: () => boolean): () => void {
  checks.add(isUnsaved);
  return () => {
    checks.delete(isUnsaved);
  };
}

/** True if a dialog or a form of this tab has input that is stored nowhere. */
export function hasUnsavedInput(): boolean {
  return [...checks].some((isUnsaved) => isUnsaved());
}
