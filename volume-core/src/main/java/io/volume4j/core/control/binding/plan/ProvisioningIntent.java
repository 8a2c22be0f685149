package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.lead.Self;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.plugin.BlankPolicy;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The durable record that a plugin may be making a volume for a claim; an annotation of the claim. It contains all parameters of
 * the call. So a retry is the same call, even if the class has changed or is gone, and the backend then answers with the volume
 * that the first call made. The author of a claim can write its annotations. So a process that has not made the call itself first
 * compares the intent with the objects of the cluster ({@link IntentCheck}).
 *
 * @param epoch of the leader that makes the call; another leader writes its own epoch before it calls
 * @param by the process that makes the call
 * @param inherited whether another process held the intent before, whose call may still have an effect
 * @param plugin the plugin that makes the volume
 * @param volumeName the name that makes the call idempotent
 * @param bytes the requested size
 * @param nodeName the node of the first consumer, {@code ""} if it does not matter
 * @param storageClass the content of the class
 * @param content the data source of the volume; null if it is empty or the plugin finds the source by itself
 * @param attributes the content of the volume attributes class, if the claim has one
 */
public record ProvisioningIntent(
        long epoch,
        String by,
        boolean inherited,
        String plugin,
        String volumeName,
        long bytes,
        String nodeName,
        ClassContent storageClass,
        @Nullable ContentSource content,
        Attributes attributes) {

    /** An intent for an empty volume, or for a volume that the plugin fills from the claim's data source by itself. */
    public ProvisioningIntent(
            long epoch,
            String by,
            boolean inherited,
            String plugin,
            String volumeName,
            long bytes,
            String nodeName,
            ClassContent storageClass) {
        this(epoch, by, inherited, plugin, volumeName, bytes, nodeName, storageClass, null, Attributes.none());
    }

    /**
     * The settings of a volume from its volume attributes class.
     *
     * @param className {@code ""} for none
     */
    public record Attributes(String className, Map<String, String> parameters) {
        public Attributes {
            parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        }

        public static Attributes none() {
            return new Attributes("", Map.of());
        }

        static Attributes of(Lookup<VolumeAttributesClass> found) {
            return found.found()
                    ? new Attributes(found.get().metadata().name(), found.get().parameters())
                    : none();
        }
    }

    /** The settings of a volume from its class. */
    public record ClassContent(
            String name,
            String uid,
            Map<String, String> parameters,
            List<String> mountOptions,
            ReclaimPolicy reclaimPolicy,
            @Nullable NodeSelector allowedTopologies) {
        public ClassContent {
            parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
            mountOptions = Collections.unmodifiableList(new ArrayList<>(mountOptions));
        }

        /** The parameters that the plugin gets; the others are for the node. */
        Map<String, String> forPlugin() {
            Map<String, String> given = new LinkedHashMap<>(parameters);
            given.keySet().removeAll(BlankPolicy.NAMES);
            return given;
        }

        private static ClassContent unknown(String name) {
            return new ClassContent(name, "", Map.of(), List.of(), ReclaimPolicy.RETAIN, null);
        }

        ClassContent withUid(String other) {
            return new ClassContent(name, other, parameters, mountOptions, reclaimPolicy, allowedTopologies);
        }

        static ClassContent of(StorageClass storageClass) {
            return new ClassContent(
                    storageClass.metadata().name(),
                    storageClass.metadata().uid(),
                    storageClass.parameters(),
                    storageClass.mountOptions(),
                    storageClass.reclaimPolicy(),
                    storageClass.allowedTopologies());
        }
    }

    /** The name of the claim's new volume, the same at every attempt. */
    public static String volumeNameFor(PersistentVolumeClaim claim) {
        return "pvc-" + claim.metadata().uid();
    }

    /** The class as it was when the intent was written, without parameters that are for the node and not for the plugin. */
    public StorageClass classThen() {
        return new StorageClass(
                ObjectMeta.named("", storageClass.name()).withUid(storageClass.uid()),
                plugin,
                storageClass.forPlugin(),
                storageClass.reclaimPolicy(),
                storageClass.mountOptions(),
                false,
                VolumeBindingMode.IMMEDIATE,
                storageClass.allowedTopologies(),
                Unmodeled.none());
    }

    /** Whether its volume is the one that the claim would get. */
    boolean isFor(PersistentVolumeClaim claim) {
        return volumeName.equals(volumeNameFor(claim));
    }

    /** Whether both describe the same call, whichever process makes it. */
    boolean sameCall(ProvisioningIntent other) {
        return takenOver(0, "").equals(other.takenOver(0, ""));
    }

    /** This intent, taken over by this process. The effect of the earlier process's calls is not known. */
    ProvisioningIntent takenOver(long newEpoch, String newHolder) {
        return new ProvisioningIntent(
                newEpoch, newHolder, true, plugin, volumeName, bytes, nodeName, storageClass, content, attributes);
    }

    String text() {
        return IntentText.write(this);
    }

    /**
     * The intent of a deleted claim, if storage may exist that nothing else refers to. It has the settings of the last call of this
     * process, or those of the class as it is now.
     *
     * @param now the class of the claim; empty if it is gone or not known, and then the storage is to be kept
     */
    public static Optional<ProvisioningIntent> openAndDoubtful(
            PersistentVolumeClaim claim, ProvisioningMemory memory, Optional<StorageClass> now) {
        String text = claim.metadata().annotation(Annotation.PROVISIONING_INTENT);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            ProvisioningIntent intent = IntentText.read(text);
            // A call that has not returned has stored nothing in the memory yet.
            if (!intent.isFor(claim) || memory.settledWithout(intent)) {
                return Optional.empty();
            }
            @Nullable ProvisioningIntent called = memory.called();
            return Optional.of(
                    called != null
                            ? called
                            : intent.withClass(
                                    now.filter(found -> found.provisioner().equals(intent.plugin))
                                            .map(ClassContent::of)
                                            .orElse(ClassContent.unknown(claim.className()))));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private ProvisioningIntent withClass(ClassContent content) {
        return new ProvisioningIntent(epoch, by, inherited, plugin, volumeName, bytes, nodeName, content);
    }

    /** Whether that process wrote the intent in its current term. */
    boolean isOf(Self self) {
        return epoch == self.epoch() && by.equals(self.process());
    }
}
