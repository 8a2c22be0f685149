package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiDriver.TokenRequest;
import io.volume4j.spi.plugin.DeviceMounter.DeviceMountRequest;
import io.volume4j.spi.plugin.Mounter.MountRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One call that reached the backend.
 *
 * @param number from 1, in the order in which calls began
 * @param driver the driver that got the call
 * @param podUid {@code ""} for calls that concern no pod
 * @param request the request of the SPI
 * @param attempt the caller's number of the attempt
 * @param outcome {@code ""} while the call runs, {@code ok}, a failure kind in lower case such as {@code in_use}, or
 *     {@code unclassified}
 * @since 0.1.0
 */
public record PluginCall(
        long number,
        CallSite site,
        String driver,
        String podUid,
        Object request,
        String operationId,
        int attempt,
        String outcome) {
    /** The names of all calls that reach the backend. */
    public static final List<String> NAMES = List.of(
            "provision",
            "delete",
            "recycle",
            "attach",
            "detach",
            "observe",
            "expand",
            "modify",
            "capacity",
            "snapshot",
            "getSnapshot",
            "deleteSnapshot",
            "groupSnapshot",
            "getGroupSnapshot",
            "deleteGroupSnapshot",
            "fill",
            "cleanUp",
            "mountDevice",
            "unmountDevice",
            "mount",
            "unmount",
            "mapDevice",
            "unmapDevice",
            "mapPod",
            "unmapPod",
            "nodeExpand",
            "stats",
            "health",
            "healthList",
            "topology",
            "limits");

    public PluginCall {
        if (!NAMES.contains(site.call())) {
            throw new IllegalArgumentException(
                    "scenario files know no call \"" + site.call() + "\": add it to the names of calls");
        }
    }

    public String name() {
        return site.call();
    }

    public String volume() {
        return site.subject();
    }

    public String node() {
        return site.node();
    }

    /**
     * The text in scenario files: {@code provision pvc-u1}, {@code attach pvc-u1 n1},
     * {@code mount pvc-u1 n1 pod-uid}. After a mount it contains how the driver must mount, and what it gets because
     * of its CSIDriver object.
     */
    public String text() {
        String call = podUid.isEmpty() ? site.toString() : site + " " + podUid;
        List<String> words = words();
        return words.isEmpty() ? call : call + " with " + String.join(" ", words);
    }

    private List<String> words() {
        List<String> words = new ArrayList<>();
        if (request instanceof MountRequest mount) {
            if (mount.readOnly()) {
                words.add("readOnly");
            }
            addContext(words, mount.seLinuxLabel());
            addDriverData(words, mount);
        } else if (request instanceof DeviceMountRequest device) {
            addContext(words, device.seLinuxLabel());
        }
        return words;
    }

    private static void addContext(List<String> words, String seLinuxLabel) {
        if (!seLinuxLabel.isEmpty()) {
            words.add("context(" + seLinuxLabel + ")");
        }
    }

    private static void addDriverData(List<String> words, MountRequest mount) {
        CsiDriver.Spec driver = mount.spec().driver();
        if (driver == null) {
            return;
        }
        if (driver.podInfoOnMount()) {
            words.add("podInfo");
        }
        if (!driver.tokenRequests().isEmpty()) {
            words.add(driver.tokenRequests().stream()
                    .map(TokenRequest::audience)
                    .collect(Collectors.joining(" ", "tokens(", ")")));
            words.add(driver.serviceAccountTokenInSecrets() ? "inSecrets" : "inContext");
        }
        if (mount.pod().spec().securityContext().fsGroup() != null) {
            words.add(mount.spec().groupByLibrary() ? "groupByLibrary" : "groupByDriver");
        }
    }

    PluginCall endedAs(String how) {
        return new PluginCall(number, site, driver, podUid, request, operationId, attempt, how);
    }

    /** {@link #text()} with the outcome. */
    @Override
    public String toString() {
        return number + " " + text() + ": " + (outcome.isEmpty() ? "under way" : outcome);
    }
}
