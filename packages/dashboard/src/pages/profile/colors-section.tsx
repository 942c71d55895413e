import { Group, Radio, useMantineColorScheme } from '@mantine/core';
import { Section } from '../../components/page.js';

const SCHEMES = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['auto', 'System'],
] as const;

/** Light or dark, stored in this browser. */
export function ColorsSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({
    // Without it, a style element would switch off transitions, which the policy forbids.
    keepTransitions: true,
  });
  return (
    <Section title="Theme">
      <Radio.Group
        aria-label="Theme"
        description="Applies to this browser only."
        value={colorScheme}
        onChange={(scheme) => {
          setColorScheme(scheme);
        }}
      >
        <Group mt="sm">
          {SCHEMES.map(([scheme, name]) => (
            <Radio key={scheme} value={scheme} label={name} />
          ))}
        </Group>
      </Radio.Group>
    </Section>
  );
}
