import { getImage, uploadImage } from '@gatehouse/contract/images';
import type { Routes } from '#http/routes.ts';
import { addImage, getImageData } from './images.ts';

export function imageRoutes({ guarded }: Routes): void {
  guarded(uploadImage, async ({ ctx, params, body }) => ({
    id: await addImage(ctx, params.tenantId.toLowerCase(), body),
  }));

  guarded(getImage, async ({ ctx, params }) => ({
    id: params.imageId.toLowerCase(),
    imageData: await getImageData(ctx, params.tenantId, params.imageId),
  }));
}
