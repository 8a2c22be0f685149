package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.ProvisioningIntent;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import org.jspecify.annotations.Nullable;

/**
 * A claim that was removed by force while a volume was being made for it, as it was when the store last told of it.
 *
 * @param made what the call made, null if it has not said so
 */
record Abandoned(
        ObjectKey claim,
        String claimUid,
        ProvisioningIntent intent,
        @Nullable ProvisionResult made) {}
