package io.volume4j.core.codec;

import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiDriver.FsGroupPolicy;
import io.volume4j.spi.model.CsiDriver.LifecycleMode;
import io.volume4j.spi.model.CsiDriver.TokenRequest;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import org.jspecify.annotations.Nullable;

/** {@code CSIDriver}, {@code CSINode} and {@code CSIStorageCapacity}. */
final class CsiShapes {
    private CsiShapes() {}

    static CsiDriver.Spec readDriver(Fields spec) {
        return new CsiDriver.Spec(
                !spec.has("attachRequired") || spec.flag("attachRequired"),
                spec.flag("podInfoOnMount"),
                spec.anyWords("volumeLifecycleModes", LifecycleMode.class),
                spec.flag("storageCapacity"),
                spec.anyWord("fsGroupPolicy", FsGroupPolicy.class, FsGroupPolicy.READ_WRITE_ONCE_WITH_FS_TYPE),
                spec.objects("tokenRequests").stream()
                        .map(token -> new TokenRequest(token.text("audience"), token.number("expirationSeconds")))
                        .toList(),
                spec.flag("requiresRepublish"),
                spec.flag("seLinuxMount"),
                spec.number("nodeAllocatableUpdatePeriodSeconds"),
                spec.flag("serviceAccountTokenInSecrets"),
                spec.flag("preventPodSchedulingIfMissing"));
    }

    /** Writes no field that has its default. */
    static Written write(CsiDriver driver) {
        CsiDriver.Spec spec = driver.spec();
        CsiDriver.Spec defaults = CsiDriver.Spec.defaults();
        Written written = Written.part()
                .answer("attachRequired", spec.attachRequired())
                .flag("podInfoOnMount", spec.podInfoOnMount())
                .flag("storageCapacity", spec.storageCapacity())
                .objects(
                        "tokenRequests",
                        spec.tokenRequests(),
                        token -> Written.whole()
                                .meaningfulText("audience", token.audience())
                                .number("expirationSeconds", token.expirationSeconds()))
                .flag("requiresRepublish", spec.requiresRepublish())
                .flag("seLinuxMount", spec.seLinuxMount())
                .number("nodeAllocatableUpdatePeriodSeconds", spec.nodeAllocatableUpdatePeriodSeconds())
                .flag("serviceAccountTokenInSecrets", spec.serviceAccountTokenInSecrets())
                .flag("preventPodSchedulingIfMissing", spec.preventPodSchedulingIfMissing());
        if (!spec.volumeLifecycleModes().equals(defaults.volumeLifecycleModes())) {
            written.words("volumeLifecycleModes", spec.volumeLifecycleModes());
        }
        if (spec.fsGroupPolicy() != defaults.fsGroupPolicy()) {
            written.word("fsGroupPolicy", spec.fsGroupPolicy());
        }
        return Written.part().object("spec", written);
    }

    static CsiNode.Spec readNode(Fields spec) {
        return new CsiNode.Spec(spec.objects("drivers").stream()
                .map(driver -> new CsiNode.Driver(
                        driver.requiredText("name", "write the driver's name"),
                        driver.text("nodeID"),
                        driver.texts("topologyKeys"),
                        driver.object("allocatable").number("count")))
                .toList());
    }

    static Written write(CsiNode node) {
        return Written.part()
                .object("spec", Written.part().objects("drivers", node.spec().drivers(), CsiShapes::writeDriver));
    }

    private static Written writeDriver(CsiNode.Driver driver) {
        Written written = Written.whole()
                .text("name", driver.name())
                .text("nodeID", driver.nodeId())
                .scalars("topologyKeys", driver.topologyKeys());
        @Nullable Long limit = driver.volumeLimit();
        return limit == null
                ? written
                : written.object("allocatable", Written.whole().number("count", limit));
    }

    static CsiStorageCapacity readCapacity(ObjectMeta metadata, Fields document, Unmodeled unmodeled) {
        @Nullable Fields topology = document.optionalObject("nodeTopology");
        return new CsiStorageCapacity(
                metadata,
                topology == null ? null : SelectorShapes.readLabels(topology),
                document.requiredName("storageClassName", NameRule.SUBDOMAIN, "write the name of the storage class"),
                document.amount("capacity"),
                document.amount("maximumVolumeSize"),
                unmodeled);
    }

    static Written write(CsiStorageCapacity capacity) {
        @Nullable LabelSelector topology = capacity.nodeTopology();
        return Written.part()
                .object("nodeTopology", topology == null ? null : SelectorShapes.writeLabels(topology))
                .text("storageClassName", capacity.storageClassName())
                .amount("capacity", capacity.capacity())
                .amount("maximumVolumeSize", capacity.maximumVolumeSize());
    }
}
