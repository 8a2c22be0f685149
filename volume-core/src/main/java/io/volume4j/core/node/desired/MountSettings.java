package io.volume4j.core.node.desired;

import io.volume4j.core.subpath.SubPath;
import io.volume4j.spi.model.Container.VolumeMount;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.BindOptions.Propagation;

/**
 * How a container sees a volume's files: the words of a {@code volumeMount} as the kernel understands them. Rules as
 * Kubernetes has them: recursive read-only needs a read-only mount through which nothing propagates.
 */
public record MountSettings(boolean readOnly, boolean recursiveReadOnly, Propagation propagation) {
    /**
     * As asked for; {@code IfPossible} falls back to the topmost mount alone.
     *
     * @param volumeReadOnly whether the volume itself is read-only for the pod
     * @param kernelCan whether this machine can make mounts read-only with all that is below
     */
    public static MountSettings of(VolumeMount mount, boolean volumeReadOnly, boolean kernelCan) {
        return new MountSettings(
                mount.readOnly() || volumeReadOnly,
                asksRecursive(mount) && mount.readOnly() && kernelCan,
                switch (mount.mountPropagation()) {
                    case "HostToContainer" -> Propagation.SLAVE;
                    case "Bidirectional" -> Propagation.SHARED;
                    default -> Propagation.PRIVATE;
                });
    }

    /** With the mounts below, unless those would be writable in a read-only mount. */
    public BindOptions bindOptions() {
        return new BindOptions(readOnly, !readOnly || recursiveReadOnly, propagation);
    }

    /**
     * What is wrong with the words, {@code ""} for nothing.
     *
     * @param kernelCan whether this machine can make mounts read-only with all that is below
     */
    static String problem(VolumeMount mount, boolean kernelCan) {
        String problem = wrong(mount, kernelCan);
        return problem.isEmpty() ? "" : "volumeMount of " + mount.name() + " at " + mount.mountPath() + ": " + problem;
    }

    private static String wrong(VolumeMount mount, boolean kernelCan) {
        String subPath = SubPath.problem(mount.subPath());
        if (!subPath.isEmpty()) {
            return subPath;
        }
        if (!mount.subPathExpr().isEmpty()) {
            return "subPathExpr " + mount.subPathExpr()
                    + " was not resolved: the host, which knows the container's environment, must write the result to subPath";
        }
        switch (mount.mountPropagation()) {
            case "", "None", "HostToContainer", "Bidirectional" -> {}
            default -> {
                return "mountPropagation must be None, HostToContainer or Bidirectional, not "
                        + mount.mountPropagation();
            }
        }
        switch (mount.recursiveReadOnly()) {
            case "", "Disabled" -> {
                return "";
            }
            case "IfPossible", "Enabled" -> {}
            default -> {
                return "recursiveReadOnly must be Disabled, IfPossible or Enabled, not " + mount.recursiveReadOnly();
            }
        }
        if (!mount.readOnly()) {
            return "recursiveReadOnly needs readOnly";
        }
        if (!mount.mountPropagation().isEmpty() && !mount.mountPropagation().equals("None")) {
            return "recursiveReadOnly needs mountPropagation None";
        }
        return mount.recursiveReadOnly().equals("Enabled") && !kernelCan
                ? "recursiveReadOnly is Enabled, and this machine's kernel cannot do it (Linux 5.12 can)"
                : "";
    }

    private static boolean asksRecursive(VolumeMount mount) {
        return mount.recursiveReadOnly().equals("Enabled")
                || mount.recursiveReadOnly().equals("IfPossible");
    }
}
