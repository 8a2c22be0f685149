package io.volume4j.core.control;

/**
 * Provisions and deletes volumes for one provisioner name, in its own process or together with other controllers. It
 * communicates with the binding controller (of volume4j or of Kubernetes) only by the cluster's objects:
 *
 * <ul>
 * <li>It serves claims without a volume whose annotation {@code volume.kubernetes.io/storage-provisioner} (or the
 * beta key) has its name. The binding controller writes that annotation. It serves claims of a class with
 * {@code WaitForFirstConsumer} only after the scheduler has selected a node.
 * <li>It stores the PersistentVolume, reserved for the claim by UID and annotated with
 * {@code pv.kubernetes.io/provisioned-by}. The binding controller then binds both.
 * <li>It deletes volumes that it provisioned, if their reclaim policy is Delete, after the binding controller has set
 * their phase to Released.
 * </ul>
 *
 * <p>Before it provisions, it writes its intent and a finalizer to the claim. Then neither a crash nor the deletion
 * of the claim can leak storage. Thread-safe. Several provisioners may run with the same name: the cluster's
 * compare-and-set makes this safe. A {@link io.volume4j.spi.host.LeaderEpoch} avoids duplicate work.
 *
 * @since 0.1.0
 */
public interface ExternalProvisioner extends Controller {
    /** A builder for a provisioner. */
    static ExternalProvisionerBuilder builder() {
        return new ExternalProvisionerBuilder();
    }
}
