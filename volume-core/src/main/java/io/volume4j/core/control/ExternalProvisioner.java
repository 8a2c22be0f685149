package io.volume4j.core.control;

/**
 * Makes and deletes volumes in the name of one provisioner, in a process of its own or beside other controllers. It meets the
 * binding controller, ours or Kubernetes' own, only in the cluster's objects:
 *
 * <ul>
 *   <li>It serves claims that name no volume and that name it in {@code volume.kubernetes.io/storage-provisioner} (or the
 *       beta key), which the binding controller writes; of a class with {@code WaitForFirstConsumer} only those for which a
 *       node was chosen.
 *   <li>It stores the volume, reserved for the claim by UID and marked with {@code pv.kubernetes.io/provisioned-by}; binding
 *       the two is the controller's work.
 *   <li>It deletes volumes that it made, once the controller has released them and if their policy is Delete.
 * </ul>
 *
 * <p>Before it makes anything it writes its intent and a finalizer to the claim, so that a crash at any point and a claim
 * that is deleted meanwhile leak nothing. Thread-safe. Several may run for one name; the cluster's compare-and-set orders
 * them, and a {@link io.volume4j.spi.host.LeaderEpoch} saves them the work twice.
 *
 * @since 0.1.0
 */
public interface ExternalProvisioner extends Controller {
    /** Begins a provisioner; see the builder for what it needs. */
    static ExternalProvisionerBuilder builder() {
        return new ExternalProvisionerBuilder();
    }
}
