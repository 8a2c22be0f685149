package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.ProvisioningIntent;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import org.jspecify.annotations.Nullable;

/**
 * A claim that a user removed by force while the plugin was making a volume for it. It has the last state that the store reported.
 *
 * @param made the result of the call, null if it is not known
 */
record Abandoned(
        ObjectKey claim,
        String claimUid,
        ProvisioningIntent intent,
        @Nullable ProvisionResult made) {}
