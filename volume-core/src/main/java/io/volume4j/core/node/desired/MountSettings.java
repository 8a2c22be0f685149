package io.volume4j.core.node.desired;

import io.volume4j.core.subpath.SubPath;
import io.volume4j.spi.model.Container.VolumeMount;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.BindOptions.Propagation;

/**
 * How a container sees a volume's files: the fields of a {@code volumeMount} in the kernel's terms. The rules are
 * those of Kubernetes: recursive read-only needs a read-only mount without propagation.
 */
public record MountSettings(boolean readOnly, boolean recursiveReadOnly, Propagation propagation) {
    /**
     * The settings of a mount. {@code IfPossible} falls back to the topmost mount alone.
     *
     * @param volumeReadOnly whether the volume itself is read-only for the pod
     * @param kernelCan whether this machine supports recursive read-only mounts
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

    /** Binds the mounts below as well, unless they would be writable in a read-only mount. */
    public BindOptions bindOptions() {
        return new BindOptions(readOnly, !readOnly || recursiveReadOnly, propagation);
    }

    /**
     * Why the fields are not valid, {@code ""} if they are.
     *
     * @param kernelCan whether this machine supports recursive read-only mounts
     */
    static String problem(VolumeMount mount, boolean kernelCan) {
        String problem = wrong(mount, kernelCan);
        return problem.isEmpty()
                ? ""
                : "volumeMount of " + OneLine.name(mount.name()) + " at " + OneLine.name(mount.mountPath()) + ": "
                        + problem;
    }

    private static String wrong(VolumeMount mount, boolean kernelCan) {
        String subPath = SubPath.problem(mount.subPath());
        if (!subPath.isEmpty()) {
            return subPath;
        }
        if (!mount.subPathExpr().isEmpty()) {
            return "subPathExpr " + OneLine.name(mount.subPathExpr())
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
                return "recursiveReadOnly must be Disabled, IfPossible or Enabled, not "
                        + OneLine.name(mount.recursiveReadOnly());
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
