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
 * The durable record that a volume may be being made for a claim, an annotation of the claim. It holds everything that
 * the call depends on, so that a retry after a restart is the same call even if the class has changed or is gone, and the
 * backend answers with the volume that the first call made.
 *
 * @param epoch of the leader that makes the call; another one writes its own before it calls
 * @param by the process that makes the call
 * @param inherited whether another process held the intent before, so that a call of that one may still have an effect
 * @param plugin who makes the volume
 * @param volumeName the name that makes the call idempotent
 * @param bytes the size asked for
 * @param nodeName where the first consumer will run, {@code ""} if that does not matter
 * @param storageClass what the class said
 * @param content what the volume is filled from; null if it is empty or the plugin is to find out by itself
 * @param attributes what the volume attributes class said, if the claim names one
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

    /** Of an empty volume, or one that the plugin fills as the claim says. */
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
     * What a volume takes from its volume attributes class.
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

    /** What a volume takes from its class. */
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

    /** The name of the volume that is made for a claim, the same at every try. */
    public static String volumeNameFor(PersistentVolumeClaim claim) {
        return "pvc-" + claim.metadata().uid();
    }

    /** The class as it was when the intent was written, without the parameters that are the node's and no plugin's. */
    public StorageClass classThen() {
        Map<String, String> parameters = new LinkedHashMap<>(storageClass.parameters());
        parameters.keySet().removeAll(BlankPolicy.NAMES);
        return new StorageClass(
                ObjectMeta.named("", storageClass.name()).withUid(storageClass.uid()),
                plugin,
                parameters,
                storageClass.reclaimPolicy(),
                storageClass.mountOptions(),
                false,
                VolumeBindingMode.IMMEDIATE,
                storageClass.allowedTopologies(),
                Unmodeled.none());
    }

    /** The same intent, taken over by this process: what the one before did or did not do is not known. */
    ProvisioningIntent takenOver(long newEpoch, String newHolder) {
        return new ProvisioningIntent(
                newEpoch, newHolder, true, plugin, volumeName, bytes, nodeName, storageClass, content, attributes);
    }

    String text() {
        return IntentText.write(this);
    }

    /** The intent of a claim that is gone, if by it storage may exist that nothing else tells of. */
    public static Optional<ProvisioningIntent> openAndDoubtful(PersistentVolumeClaim claim, ProvisioningMemory memory) {
        String text = claim.metadata().annotation(Annotation.PROVISIONING_INTENT);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            ProvisioningIntent intent = IntentText.read(text);
            // A call that has not come back has left nothing in the memory yet.
            return memory.settledWithout(intent) ? Optional.empty() : Optional.of(intent);
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    /** Whether that process wrote the intent in its present term. */
    boolean isOf(Self self) {
        return epoch == self.epoch() && by.equals(self.process());
    }
}
