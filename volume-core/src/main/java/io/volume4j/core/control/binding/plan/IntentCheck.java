package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.binding.plan.ProvisioningIntent.Attributes;
import io.volume4j.core.control.binding.plan.ProvisioningIntent.ClassContent;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.source.DataSource;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the cluster's objects confirm an intent that this process found at a claim. The author of a claim can write its
 * annotations, but may choose neither the parameters, secrets and mount options of a class nor the source of another namespace. So
 * the controller takes these from the objects, and from the intent only what they confirm.
 *
 * @param known whether the controller knows enough to decide
 * @param corrected the intent with the settings that the objects have now, if they have others; null if they confirm it, or if it
 *     cannot be corrected
 * @param why why the intent can be neither confirmed nor corrected, or what is not known yet; {@code ""} if it can
 */
public record IntentCheck(boolean known, @Nullable ProvisioningIntent corrected, String why) {
    private static final IntentCheck AGREES = new IntentCheck(true, null, "");

    /**
     * The classes that an intent copied, as they are now.
     *
     * @param storageClass the class of the claim
     * @param attributes the volume attributes class that the intent names
     */
    public record Copied(Lookup<StorageClass> storageClass, Lookup<VolumeAttributesClass> attributes) {}

    static IntentCheck agrees() {
        return AGREES;
    }

    boolean confirmed() {
        return known && corrected == null && why.isEmpty();
    }

    /**
     * What decides where the plugin looks for the volume is not corrected: a call with other parameters could make a second volume,
     * and the first one would be forgotten. The node is no part of the check, because the scheduler writes it to the claim too.
     */
    static IntentCheck of(ProvisioningIntent intent, PersistentVolumeClaim claim, Copied now, DataSource source) {
        if (now.storageClass().state() == Lookup.State.UNKNOWN
                || now.attributes().state() == Lookup.State.UNKNOWN) {
            return new IntentCheck(false, null, "the classes of the cluster are not known completely");
        }
        if (!source.known()) {
            return new IntentCheck(false, null, "the data sources of the cluster are not known completely");
        }
        @Nullable Quantity request = claim.spec().request();
        Optional<String> problem = problem(intent, claim, now, source);
        if (problem.isPresent() || request == null) {
            return new IntentCheck(true, null, problem.orElse("the claim requests no size"));
        }
        // A claim may have grown since then, and what is made for it is expanded later.
        boolean fits = intent.bytes() > 0 && intent.bytes() <= request.bytes();
        ProvisioningIntent said = new ProvisioningIntent(
                intent.epoch(),
                intent.by(),
                intent.inherited(),
                intent.plugin(),
                intent.volumeName(),
                fits ? intent.bytes() : request.bytes(),
                intent.nodeName(),
                sameClass(intent.storageClass(), now.storageClass().get()),
                intent.content(),
                attributes(intent.attributes(), claim, now));
        return said.equals(intent) ? AGREES : new IntentCheck(true, said, "");
    }

    /** A claim that names no class for its attributes any more gets none. */
    private static Attributes attributes(Attributes then, PersistentVolumeClaim claim, Copied now) {
        return then.className().isEmpty()
                        || claim.spec().volumeAttributesClassName().isEmpty()
                ? Attributes.none()
                : Attributes.of(now.attributes());
    }

    /** Why the objects do not say with which call the volume would be found that the intent may have made. */
    private static Optional<String> problem(
            ProvisioningIntent intent, PersistentVolumeClaim claim, Copied now, DataSource source) {
        if (!now.storageClass().found()) {
            return Optional.of("storage class " + OneLine.quoted(claim.className()) + " does not exist");
        }
        StorageClass storageClass = now.storageClass().get();
        if (!storageClass.provisioner().equals(intent.plugin())) {
            return Optional.of("storage class " + OneLine.quoted(claim.className()) + " is one of "
                    + storageClass.provisioner() + ", not of " + OneLine.quoted(intent.plugin()));
        }
        ClassContent then = intent.storageClass();
        if (!then.forPlugin().equals(ClassContent.of(storageClass).forPlugin())
                || !Objects.equals(then.allowedTopologies(), storageClass.allowedTopologies())) {
            return Optional.of("storage class " + OneLine.quoted(claim.className())
                    + " has other parameters or topologies than the annotation");
        }
        String attributes = intent.attributes().className();
        boolean attributesThere =
                now.attributes().found() && now.attributes().get().driverName().equals(intent.plugin());
        boolean wanted = !attributes.isEmpty()
                && !claim.spec().volumeAttributesClassName().isEmpty();
        if (wanted && !attributesThere) {
            return Optional.of("no volume attributes class " + OneLine.quoted(attributes) + " of " + intent.plugin()
                    + " is known");
        }
        return contentProblem(intent.content(), source);
    }

    private static Optional<String> contentProblem(@Nullable ContentSource then, DataSource source) {
        boolean same = sameContent(then, source);
        if (!source.refusal().isEmpty() && (!same || source.content() == null)) {
            return Optional.of(source.refusal());
        }
        if (!source.pending().isEmpty()) {
            return Optional.of(source.pending());
        }
        if (source.kind() == DataSource.Kind.POPULATED) {
            return Optional.of("a populator fills volumes from " + source.what());
        }
        return same ? Optional.empty() : Optional.of("its source is not known here by the name in the annotation");
    }

    /** A class that was made again with the same settings has another UID. */
    private static ClassContent sameClass(ClassContent then, StorageClass now) {
        ClassContent said = ClassContent.of(now);
        return then.withUid(said.uid()).equals(said) ? then : said;
    }

    /** The places of a source may change while a volume is filled from it. */
    private static boolean sameContent(@Nullable ContentSource then, DataSource source) {
        @Nullable ContentSource now = source.content();
        if (then == null || now == null) {
            return then == null && now == null;
        }
        return then.kind() == now.kind() && then.handle().equals(now.handle());
    }
}
