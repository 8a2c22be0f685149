package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.call.AttachCalls;
import io.volume4j.core.control.attach.call.LeaderTerm;
import io.volume4j.core.control.attach.call.RecordCalls;
import io.volume4j.core.grants.AttacherName;
import io.volume4j.core.grants.AttachmentName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSource;
import java.util.List;
import java.util.Map;

/** Creates the VolumeAttachment that records an attachment. */
final class RecordMaker {
    private final LeaderTerm term;
    private final AttachOptions options;

    RecordMaker(LeaderTerm term, AttachOptions options) {
        this.term = term;
        this.options = options;
    }

    /** @param adopt whether it records an attachment of another controller; it then does not use the volume's exclusive name */
    VolumeAttachment make(PairState pair, boolean adopt) {
        VolumeState volume = pair.volume;
        String driver = volume.id.plugin();
        boolean direct = !options.externalAttachers().contains(driver);
        ObjectMeta meta = ObjectMeta.named("", name(pair, direct, adopt))
                .withAnnotation(GrantKeys.VOLUME, volume.id.toString())
                .withAnnotation(GrantKeys.GENERATION, term.generation());
        if (pair.node.words.reports()) {
            meta = meta.withAnnotation(GrantKeys.NODE_UID, pair.node.uid);
        }
        if (adopt) {
            meta = meta.withAnnotation(AttachCalls.ADOPTED, "true");
        }
        if (pair.listed || pair.dangling) {
            meta = meta.withAnnotation(AttachCalls.FOUND_ATTACHED, "true");
        }
        if (direct) {
            meta = meta.withAnnotation(GrantKeys.MODE, GrantKeys.DIRECT)
                    .withFinalizers(List.of(
                            RecordCalls.Stamp.direct(options.kubernetesNames()).finalizerFor(driver)));
        }
        return new VolumeAttachment(
                meta,
                spec(volume, driver, pair.node.name),
                new VolumeAttachment.Status(false, Map.of(), null, null),
                Unmodeled.none());
    }

    /**
     * Uses Kubernetes' names only if a reservation of the volume's object refuses a second attachment of a volume for one node.
     * With other names the store refuses the second record.
     */
    private String name(PairState pair, boolean direct, boolean adopt) {
        VolumeState volume = pair.volume;
        String driver = volume.id.plugin();
        boolean exclusive = volume.oneNodeOnly && !adopt;
        boolean reservable = !volume.persistentVolume.isEmpty();
        if (options.kubernetesNames() && direct && AttacherName.ofDriver(driver) && (reservable || !exclusive)) {
            return AttachmentName.ofKubernetes(driver, volume.id.name(), pair.node.name);
        }
        return exclusive
                ? AttachmentName.exclusive(driver, volume.id)
                : AttachmentName.shared(driver, volume.id, pair.node.name);
    }

    private static VolumeAttachment.Spec spec(VolumeState volume, String driver, String node) {
        if (!volume.persistentVolume.isEmpty()) {
            return VolumeAttachment.Spec.ofVolume(AttacherName.of(driver), node, volume.persistentVolume);
        }
        return VolumeAttachment.Spec.ofInline(
                AttacherName.of(driver),
                node,
                new PersistentVolume.Spec(
                        null,
                        List.of(volume.oneNodeOnly ? AccessMode.READ_WRITE_ONCE : AccessMode.READ_WRITE_MANY),
                        ReclaimPolicy.RETAIN,
                        "",
                        VolumeMode.FILESYSTEM,
                        null,
                        List.of(),
                        null,
                        "",
                        source(volume, driver)));
    }

    /**
     * The source in the record of a volume without a PersistentVolume. API servers accept only CSI volumes there. The attachment of
     * another volume, such as an iSCSI volume of a pod, takes its source from the pod; the record only names the volume.
     */
    private static VolumeSource source(VolumeState volume, String driver) {
        return volume.inline != null && volume.inline.source() instanceof CsiSource csi
                ? csi
                : CsiSource.of(AttacherName.of(driver), volume.id.name(), "", Map.of());
    }
}
