/** `describe` if the program that the tests need is installed; otherwise one skipped test that says which one. */
export function describeWith(
  program: string,
  isInstalled: boolean,
  title: string,
  tests: () => void,
): void {
  describe(title, () => {
    if (isInstalled) tests();
    else it.skip(`is not tested here: install ${program} to run these tests`, () => undefined);
  });
}
