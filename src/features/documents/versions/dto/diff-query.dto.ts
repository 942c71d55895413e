import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

const MESSAGE = { message: 'must be the number of a version' };

/** The query of `GET /v1/documents/{id}/versions/{number}/diff`. */
export class DiffQueryDto {
  @ApiPropertyOptional({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 999_999_999,
    description: 'The version to compare with; the one before, when it is left out.',
    example: 1,
  })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  )
  @IsOptional()
  @IsInt(MESSAGE)
  @Min(1, MESSAGE)
  @Max(999_999_999, MESSAGE)
  against?: number;
}
