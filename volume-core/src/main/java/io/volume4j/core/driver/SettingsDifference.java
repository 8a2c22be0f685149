package io.volume4j.core.driver;

import io.volume4j.spi.model.CsiDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The differences between the settings of a host and those in a driver's object. Pure. */
final class SettingsDifference {
    private SettingsDifference() {}

    /** A sentence for each field that differs, in the order of the fields. */
    static List<String> of(CsiDriver.Spec object, CsiDriver.Spec settings) {
        List<String> all = new ArrayList<>();
        add(all, "attachRequired", object.attachRequired(), settings.attachRequired());
        add(all, "podInfoOnMount", object.podInfoOnMount(), settings.podInfoOnMount());
        add(all, "volumeLifecycleModes", object.volumeLifecycleModes(), settings.volumeLifecycleModes());
        add(all, "storageCapacity", object.storageCapacity(), settings.storageCapacity());
        add(all, "fsGroupPolicy", object.fsGroupPolicy(), settings.fsGroupPolicy());
        add(all, "tokenRequests", object.tokenRequests(), settings.tokenRequests());
        add(all, "requiresRepublish", object.requiresRepublish(), settings.requiresRepublish());
        add(all, "seLinuxMount", object.seLinuxMount(), settings.seLinuxMount());
        add(
                all,
                "nodeAllocatableUpdatePeriodSeconds",
                object.nodeAllocatableUpdatePeriodSeconds(),
                settings.nodeAllocatableUpdatePeriodSeconds());
        add(
                all,
                "serviceAccountTokenInSecrets",
                object.serviceAccountTokenInSecrets(),
                settings.serviceAccountTokenInSecrets());
        add(
                all,
                "preventPodSchedulingIfMissing",
                object.preventPodSchedulingIfMissing(),
                settings.preventPodSchedulingIfMissing());
        return all;
    }

    private static void add(List<String> all, String field, @Nullable Object object, @Nullable Object settings) {
        if (!Objects.equals(object, settings)) {
            all.add("the host sets " + field + " to " + settings + ", which overrides " + object
                    + " of the CSIDriver object");
        }
    }
}
