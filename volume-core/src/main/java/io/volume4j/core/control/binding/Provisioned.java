package io.volume4j.core.control.binding;

import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;

/**
 * The result of a plugin's call. The claim may be removed by force during the call, and the volume's object needs its modes.
 *
 * @param claim the claim for which the call was made, as it was then
 */
record Provisioned(PersistentVolumeClaim claim, ProvisionResult made) {}
