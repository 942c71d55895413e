import { Group, Radio, useMantineColorScheme } from '@mantine/core';
import { Section } from '../../components/page.js';

const SCHEMES = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['auto', 'System'],
] as const;

/** Light or dark, kept in this browser. */
export function ColoursSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({
    // Otherwise a style element switches transitions off meanwhile, which the policy refuses.
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
