package io.volume4j.core.node.desired;

import io.volume4j.core.driver.DriverObjects;
import io.volume4j.core.node.desired.ResolvedPod.Problem;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.RowLimits;
import io.volume4j.core.node.state.UnidentifiedMount;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.selinux.SeLinuxLabel;
import io.volume4j.core.subpath.SubPath;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimHold;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.SeLinuxOption;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a pod's volumes: its claims, the volumes that they are bound to, and the plugins of these volumes. Reads
 * the object cache and changes nothing.
 */
public final class PodResolver {
    private final String nodeName;
    private final ObjectCache objects;
    private final DriverObjects drivers;
    private final PluginRegistry plugins;
    private final boolean recursiveReadOnly;
    private final boolean seLinux;
    private final ClaimOfPod claims;

    /** Verifies which claim a pod means by a name. */
    public interface ClaimOfPod {
        /** Why the pod cannot have the claim's volume, null if the pod is known to mean this claim. */
        @Nullable
        Problem doubt(String podUid, PersistentVolumeClaim claim, VolumeId volume);

        /** Whether the pod has the volume here, or its use was resolved before. */
        boolean given(String podUid, VolumeId volume);
    }

    /**
     * Creates a resolver for one node.
     *
     * @param recursiveReadOnly whether this machine supports recursive read-only mounts
     * @param seLinux whether this machine has SELinux
     */
    public PodResolver(
            String nodeName,
            ObjectCache objects,
            PluginRegistry plugins,
            boolean recursiveReadOnly,
            boolean seLinux,
            ClaimOfPod claims) {
        this.nodeName = nodeName;
        this.objects = objects;
        this.drivers = new DriverObjects(objects);
        this.plugins = plugins;
        this.recursiveReadOnly = recursiveReadOnly;
        this.seLinux = seLinux;
        this.claims = claims;
    }

    /** Resolves all volumes that containers use. */
    ResolvedPod resolve(Pod pod) {
        Map<String, String> unmountable = new HashMap<>();
        notMountable(pod.spec().initContainers(), unmountable);
        notMountable(pod.spec().containers(), unmountable);
        PodShape shape = new PodShape(pod, unmountable);
        List<ResolvedVolume> volumes = new ArrayList<>();
        Map<String, Problem> problems = new LinkedHashMap<>();
        Map<VolumeId, ResolvedVolume> byId = new HashMap<>();
        for (PodVolume volume : pod.spec().volumes()) {
            if (!shape.used(volume.name())) {
                continue;
            }
            Resolution resolution = resolve(pod, shape, volume, byId);
            if (resolution.volume() != null) {
                volumes.add(resolution.volume());
            } else if (resolution.problem() != null) {
                problems.put(volume.name(), resolution.problem());
            }
        }
        return new ResolvedPod(pod, volumes, problems, shape);
    }

    /** Resolves one volume of a pod, without checks against the pod's other volumes. */
    Resolution resolve(Pod pod, PodShape shape, String name) {
        return resolve(pod, shape, shape.volume(name), new HashMap<>(1));
    }

    /** Either the volume, or why it is not resolved. */
    record Resolution(
            @Nullable ResolvedVolume volume, @Nullable Problem problem) {}

    private Resolution resolve(Pod pod, PodShape shape, PodVolume volume, Map<VolumeId, ResolvedVolume> byId) {
        String name = volume.name();
        try {
            if (!shape.nameOfTwo().isEmpty()) {
                throw hopeless("two containers of the pod are called " + shape.nameOfTwo()
                        + ", and a container finds its volumes by its name");
            }
            String problem = shape.whyUnmountable(name);
            if (!problem.isEmpty()) {
                throw hopeless(problem);
            }
            ResolvedVolume resolved = resolve(pod, volume, shape.asFiles(name), shape.asDevice(name));
            requireOneMode(byId.putIfAbsent(resolved.id(), resolved), resolved);
            return new Resolution(resolved, null);
        } catch (Unresolved unresolved) {
            return new Resolution(null, unresolved.problem);
        } catch (Throwable bug) {
            // A defect of a plugin. It affects this volume and no other pod.
            return new Resolution(null, waiting("its plugin failed on it: " + bug).problem);
        }
    }

    /** All names of a pod for one volume mean one mount, which is either files or a raw device. */
    private static void requireOneMode(@Nullable ResolvedVolume first, ResolvedVolume other) throws Unresolved {
        if (first != null && first.block() != other.block()) {
            throw hopeless("the pod has the same storage as " + (first.block() ? "a raw device" : "files")
                    + ", under the name " + first.outerName());
        }
    }

    /**
     * Collects why containers cannot have volumes as they request, by the pod's volume names; the first reason for
     * each. One pass over all containers, because a pod may have thousands of both.
     */
    private void notMountable(List<Container> containers, Map<String, String> why) {
        for (Container container : containers) {
            for (Container.VolumeMount mount : container.volumeMounts()) {
                String problem = MountSettings.problem(mount, recursiveReadOnly);
                if (!problem.isEmpty()) {
                    why.putIfAbsent(mount.name(), "container " + container.name() + ": " + problem);
                } else if (!SubPath.isWhole(mount.subPath()) && !NodeLayout.isFileName(container.name())) {
                    why.putIfAbsent(
                            mount.name(),
                            "container " + container.name()
                                    + " sees a part of the volume, and its name cannot be used as a file name");
                }
            }
        }
    }

    private ResolvedVolume resolve(Pod pod, PodVolume volume, boolean asFiles, boolean asDevice) throws Unresolved {
        if (!NodeLayout.isFileName(pod.metadata().uid())) {
            throw hopeless("the pod's UID cannot be used as a file name");
        }
        if (!NodeLayout.isFileName(volume.name())) {
            throw hopeless("the volume's name cannot be used as a file name");
        }
        if (!RowLimits.fits(pod.metadata().namespace())
                || !RowLimits.fits(pod.metadata().name())) {
            throw hopeless("the pod's name is too long to be remembered");
        }
        VolumeSpec spec = spec(pod, volume);
        if (!RowLimits.fits(spec.name())) {
            throw hopeless("the name of its PersistentVolume is too long to be remembered");
        }
        if (spec.volumeMode() == VolumeMode.BLOCK && asFiles) {
            throw hopeless("volume " + spec.name() + " is a raw device: use it in volumeDevices, not volumeMounts");
        }
        if (spec.volumeMode() == VolumeMode.FILESYSTEM && asDevice) {
            throw hopeless("volume " + spec.name() + " holds files: use it in volumeMounts, not volumeDevices");
        }
        VolumePlugin plugin = plugin(spec);
        spec = described(spec, plugin);
        if (spec.volumeMode() == VolumeMode.BLOCK && plugin.blockMapper(spec).isEmpty()) {
            throw hopeless(
                    "plugin " + plugin.name() + " gives pods no raw devices, and volume " + spec.name() + " is one");
        }
        requireAppliedOptions(spec, plugin);
        try {
            String name = plugin.volumeName(spec);
            if (!RowLimits.fits(name)) {
                throw hopeless("what plugin " + plugin.name() + " calls the volume is too long to be remembered: "
                        + name.length() + " characters");
            }
            if (UnidentifiedMount.clashes(name)) {
                throw hopeless("the name of volume " + spec.name() + " is kept for what cannot be identified");
            }
            VolumeId id = plugin.shared(spec)
                    ? VolumeId.shared(plugin.name(), name)
                    : VolumeId.ofPod(plugin.name(), name, pod.metadata().uid());
            ResolvedVolume resolved =
                    new ResolvedVolume(id, spec, plugin, pod.metadata().uid(), volume.name());
            if (seLinux && resolved.takesLabel()) {
                requireOneLabel(pod, volume.name());
            }
            requireMeant(pod, volume, id);
            return resolved;
        } catch (VolumeException failure) {
            throw hopeless(text(failure));
        }
    }

    /** Options that are not applied must not look as if they were: they may be what keeps a pod from writing. */
    private static void requireAppliedOptions(VolumeSpec spec, VolumePlugin plugin) throws Unresolved {
        boolean files = spec.volumeMode() == VolumeMode.FILESYSTEM;
        if (files && !spec.mountOptions().isEmpty() && !plugin.supportsMountOptions()) {
            throw hopeless("volume " + spec.name() + " has mount options, and plugin " + plugin.name()
                    + " mounts without any: remove them from the PersistentVolume, or let the plugin say that it"
                    + " supports mount options");
        }
    }

    private static void requireOneLabel(Pod pod, String volume) throws Unresolved {
        String conflict = SeLinuxLabel.conflict(pod, volume);
        if (!conflict.isEmpty()) {
            throw hopeless(conflict);
        }
        if (!SeLinuxOption.isContext(SeLinuxLabel.of(pod, volume))) {
            throw hopeless(
                    "seLinuxOptions of the pod are not a valid SELinux context: they have characters that are not allowed");
        }
    }

    private void requireMeant(Pod pod, PodVolume volume, VolumeId id) throws Unresolved {
        String name = claimName(pod, volume);
        if (name.isEmpty()) {
            return;
        }
        PersistentVolumeClaim claim = objects.get(
                        ObjectKey.claim(pod.metadata().namespace(), name), PersistentVolumeClaim.class)
                .orElseThrow();
        String refusal = refusalOfNewPods(claim);
        // A pod that has the volume keeps it, and gets it again after a boot: the claim and its move wait for the pod.
        if (!refusal.isEmpty() && !claims.given(pod.metadata().uid(), id)) {
            throw waiting(refusal);
        }
        Problem doubt = claims.doubt(pod.metadata().uid(), claim, id);
        if (doubt != null) {
            throw new Unresolved(doubt);
        }
    }

    /** Not hopeless: an administrator may create or change the CSIDriver object while the pod stays the same. */
    private VolumeSpec described(VolumeSpec spec, VolumePlugin plugin) throws Unresolved {
        DriverObjects.Described described = drivers.describe(spec, plugin);
        String problem = described.doubt().isEmpty() ? DriverObjects.refusal(described.spec()) : described.doubt();
        if (!problem.isEmpty()) {
            throw waiting(problem);
        }
        return described.spec();
    }

    private VolumePlugin plugin(VolumeSpec spec) throws Unresolved {
        try {
            return plugins.find(spec);
        } catch (VolumeException failure) {
            // Drivers may be installed or start after their pods.
            boolean mayCome = spec.source() instanceof CsiSource || spec.source() instanceof FlexVolumeSource;
            throw mayCome ? waiting(text(failure)) : hopeless(text(failure));
        }
    }

    private static String text(VolumeException failure) {
        return failure.getMessage();
    }

    private VolumeSpec spec(Pod pod, PodVolume volume) throws Unresolved {
        if (volume.source() instanceof ClaimSource source) {
            return ofClaim(pod, source.claimName(), source.readOnly(), false);
        }
        if (isEphemeral(volume)) {
            return ofClaim(pod, claimName(pod, volume), false, true);
        }
        try {
            String namespace = pod.metadata().namespace();
            return InlineSecrets.in(namespace, plugins.migration().spec(volume, namespace));
        } catch (VolumeException untranslatable) {
            throw hopeless(text(untranslatable));
        }
    }

    /** Whether the volume's claim is created for the pod and deleted with it. */
    private static boolean isEphemeral(PodVolume volume) {
        return volume.source() instanceof OtherSource source && source.type().equals("ephemeral");
    }

    /** The name of the claim of a pod's volume, {@code ""} for a volume without a claim. */
    static String claimName(Pod pod, PodVolume volume) {
        if (volume.source() instanceof ClaimSource source) {
            return source.claimName();
        }
        return isEphemeral(volume) ? pod.metadata().name() + "-" + volume.name() : "";
    }

    private VolumeSpec ofClaim(Pod pod, String claimName, boolean readOnly, boolean ownedByPod) throws Unresolved {
        String namespace = pod.metadata().namespace();
        String shown = "claim " + namespace + "/" + OneLine.name(claimName);
        if (claimName.isEmpty()) {
            throw hopeless("the volume names no claim");
        }
        PersistentVolumeClaim claim = objects.get(ObjectKey.claim(namespace, claimName), PersistentVolumeClaim.class)
                .orElseThrow(() -> absent(Kind.PERSISTENT_VOLUME_CLAIM, shown));
        if (ownedByPod && !isOwner(pod, claim)) {
            throw waiting(shown + " was not made for this pod: the pod is not its owner");
        }
        if (claim.spec().volumeName().isEmpty() || claim.status().phase() != ClaimPhase.BOUND) {
            String refusal = refusalOfNewPods(claim);
            throw waiting(refusal.isEmpty() ? shown + " is not bound to a volume yet" : refusal);
        }
        String volumeName = claim.spec().volumeName();
        PersistentVolume volume = objects.get(ObjectKey.volume(volumeName), PersistentVolume.class)
                .orElseThrow(
                        () -> absent(Kind.PERSISTENT_VOLUME, "volume " + OneLine.name(volumeName) + " of " + shown));
        ObjectReference holder = volume.spec().claimRef();
        if (holder == null || !holder.uid().equals(claim.metadata().uid())) {
            throw waiting("volume " + volumeName + " is not bound to " + shown + " but to "
                    + (holder == null
                            ? "no claim"
                            : "another claim, " + OneLine.name(holder.namespace()) + "/"
                                    + OneLine.name(holder.name())));
        }
        requireKnownWords("volume " + volumeName, volume.spec().unknownWord());
        requireKnownWords(shown, claim.spec().unknownWord());
        VolumeSpec spec;
        try {
            spec = plugins.migration().spec(volume, readOnly);
        } catch (VolumeException untranslatable) {
            throw hopeless(text(untranslatable));
        }
        requireReachable(volume, spec.persistentVolume());
        return spec;
    }

    /** Why only pods that have the claim's volume already may have it, {@code ""} if new pods may, too. */
    private static String refusalOfNewPods(PersistentVolumeClaim claim) {
        return claim.metadata().deleting()
                ? "claim " + claim.metadata().namespace() + "/"
                        + claim.metadata().name() + " is being deleted"
                : ClaimHold.reason(claim);
    }

    private static void requireKnownWords(String what, Optional<String> unknown) throws Unresolved {
        if (unknown.isPresent()) {
            throw waiting(
                    "the " + unknown.get() + " of " + what + " has a word that this version of volume4j does not know");
        }
    }

    private static boolean isOwner(Pod pod, PersistentVolumeClaim claim) {
        return claim.metadata().ownerReferences().stream()
                .anyMatch(owner ->
                        owner.controller() && owner.uid().equals(pod.metadata().uid()));
    }

    /**
     * The affinity of an in-tree volume names the cluster's labels, and that of its translated form the labels of the
     * driver. A node may have only one of them.
     */
    private void requireReachable(PersistentVolume volume, @Nullable PersistentVolume translated) throws Unresolved {
        Optional<Node> node = objects.get(ObjectKey.node(nodeName), Node.class);
        Map<String, String> labels = node.map(n -> n.metadata().labels()).orElse(Map.of());
        if (!allows(volume, labels) && (translated == null || !allows(translated, labels))) {
            if (node.isEmpty()) {
                throw absent(
                        Kind.NODE,
                        "node " + nodeName + ", whose labels volume "
                                + volume.metadata().name() + " asks for,");
            }
            throw hopeless("volume " + volume.metadata().name() + " cannot be reached from node " + nodeName
                    + ": its node affinity does not match");
        }
    }

    private boolean allows(PersistentVolume volume, Map<String, String> labels) {
        NodeSelector affinity = volume.spec().nodeAffinity();
        return affinity == null || affinity.matches(nodeName, labels);
    }

    private Unresolved absent(Kind kind, String what) {
        return waiting(
                objects.complete(kind)
                        ? what + " does not exist"
                        : what + " is not known yet: the list of " + kind.apiName() + " objects is not complete");
    }

    /** Whether only one pod at a time may use the volume. */
    public static boolean onePodOnly(VolumeSpec spec) {
        PersistentVolume volume = spec.persistentVolume();
        return volume != null
                && volume.spec().accessModes().size() == 1
                && volume.spec().accessModes().get(0) == AccessMode.READ_WRITE_ONCE_POD;
    }

    private static Unresolved hopeless(String text) {
        return new Unresolved(new Problem(text, true));
    }

    private static Unresolved waiting(String text) {
        return new Unresolved(new Problem(text, false));
    }

    /** Carries a problem out of nested calls. Never leaves this class. */
    private static final class Unresolved extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Problem problem;

        Unresolved(Problem problem) {
            super(problem.text(), null, false, false);
            this.problem = problem;
        }
    }
}
