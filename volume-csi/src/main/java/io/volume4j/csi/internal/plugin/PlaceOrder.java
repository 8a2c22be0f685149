package io.volume4j.csi.internal.plugin;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * In which order a driver gets the possible places of a volume that waits for no pod. Drivers take the first place that has room. So each
 * claim begins at another place, which its name decides, and a repeated call has the same order. The claims of a set, such as {@code
 * data-web-0} and {@code data-web-1}, begin at consecutive places, and the claims {@code data-web-0} and {@code log-web-0} of one pod at
 * the same place. external-provisioner has this rule too (Kubernetes: {@code GenerateAccessibilityRequirements} in topology.go). Pure.
 */
final class PlaceOrder {
    /** The name of a set's claim ends with the name of the set, without dashes, and the number of the pod. */
    private static final Pattern OF_SET = Pattern.compile("(?:.*-)?([^-]+)-(\\d{1,9})");

    private PlaceOrder() {}

    /** The places in the order for this claim. */
    static List<Map<String, String>> forClaim(String claimName, List<Map<String, String>> places) {
        List<Map<String, String>> ordered = new ArrayList<>(places);
        ordered.sort(Comparator.comparing(Map::toString));
        if (!ordered.isEmpty()) {
            Collections.rotate(ordered, -Math.floorMod(start(claimName), ordered.size()));
        }
        return ordered;
    }

    private static int start(String claimName) {
        Matcher set = OF_SET.matcher(claimName);
        return set.matches() ? set.group(1).hashCode() + Integer.parseInt(set.group(2)) : claimName.hashCode();
    }
}
