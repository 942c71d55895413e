import { ApiHideProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';

/** Lets a body carry what answers carry and nobody can change, so that what was read can be sent back. */
export function AcceptsFields(names: readonly string[]): ClassDecorator {
  return ({ prototype }) => {
    for (const name of names) {
      Allow()(prototype as object, name);
      ApiHideProperty()(prototype as object, name);
    }
  };
}
