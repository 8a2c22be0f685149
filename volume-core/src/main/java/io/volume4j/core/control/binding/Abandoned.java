package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.ProvisioningIntent;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import org.jspecify.annotations.Nullable;

/**
 * A claim that a user removed by force while the plugin was making a volume for it.
 *
 * @param claim its last state that the store reported
 * @param made the result of the call, null if it is not known
 */
record Abandoned(
        PersistentVolumeClaim claim,
        ProvisioningIntent intent,
        @Nullable ProvisionResult made) {
    String claimUid() {
        return claim.metadata().uid();
    }
}
