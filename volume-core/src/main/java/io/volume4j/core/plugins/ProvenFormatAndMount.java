package io.volume4j.core.plugins;

import io.volume4j.core.plugins.common.AccessOptions;
import io.volume4j.core.plugins.common.FormatDecision;
import io.volume4j.core.plugins.common.FormatDecision.Facts;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.plugin.FormatAndMount;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.FormatLedger.OpenFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Formats a device only if it is proved blank, or if an earlier format by this library did not finish.
 * {@code FormatDecision} has the policy; this class has the effects and their order.
 *
 * <p>The order is: record the intent durably, run mkfs, record the end durably, mount. The library records the end
 * before the mount, so that no permission to format again exists when a pod can write data to the device.
 *
 * <p>Blocking; thread-safe.
 *
 * @since 0.1.0
 */
public final class ProvenFormatAndMount implements FormatAndMount {
    private final MountBackend backend;
    private final MountPoints mountPoints;

    public ProvenFormatAndMount(MountBackend backend) {
        this.backend = Objects.requireNonNull(backend, "backend");
        this.mountPoints = new MountPoints(backend);
    }

    @Override
    public void mount(Request asked, CallContext context) {
        // Read-only by an option is read-only: other nodes may use the device, so it is neither formatted nor checked.
        Request request = AccessOptions.onlyRead(asked.options())
                ? asked.toBuilder().readOnly(true).build()
                : asked;
        Optional<MountEntry> there = mountPoints.at(request.target());
        if (there.isPresent()) {
            confirm(request, there.get());
            return;
        }
        DeviceIdentity identity = backend.devices().identify(request.device());
        OpenFormat open = request.formats().open();
        if (open != null) {
            FormatDecision.requireSameDevice(request.device(), identity, open);
        }
        DeviceContent content = probe(request, context);
        FormatDecision decision = FormatDecision.of(new Facts(
                request.device(),
                identity,
                content,
                request.fsType(),
                request.readOnly(),
                open,
                // A check or a format of a mounted device would destroy its data.
                !mountPoints.from(request.device()).isEmpty(),
                request.blank().unproved()));
        if (decision.finishFirst()) {
            request.formats().finish();
        }
        switch (decision.action()) {
            case FORMAT_THEN_MOUNT -> format(request, decision.fsType(), identity, content, context);
            case CHECK_THEN_MOUNT -> check(request, decision.fsType(), context);
            case CHECK_OR_FORMAT_THEN_MOUNT -> {
                if (passes(request, decision.fsType(), context)) {
                    request.formats().finish();
                } else {
                    format(request, decision.fsType(), identity, content, context);
                }
            }
            case MOUNT -> {}
        }
        requireUnchanged(request.device(), identity);
        context.progress("mounting " + request.device() + " as " + decision.fsType());
        mountPoints.mountOn(
                request.target(), () -> backend.mount(filesystem(request, decision.fsType()), request.target()));
    }

    private void check(Request request, String fsType, CallContext context) {
        context.progress("checking the " + fsType + " on " + request.device());
        backend.devices().check(request.device(), fsType, context);
    }

    /**
     * Whether the filesystem passes its check. Only a final failure counts as remaining errors; an interrupted check
     * shows nothing. No result loses data, because the device was never mounted since its format began.
     */
    private boolean passes(Request request, String fsType, CallContext context) {
        try {
            check(request, fsType, context);
            return true;
        } catch (VolumeException e) {
            if (e.kind() == FailureKind.FINAL) {
                return false;
            }
            throw e;
        }
    }

    private void format(
            Request request, String fsType, DeviceIdentity identity, DeviceContent content, CallContext context) {
        if (!backend.abilities().formats().contains(fsType)) {
            throw VolumeException.finalFailure("cannot format " + request.device() + " as " + fsType + ": mkfs."
                            + fsType + " was not found on this machine")
                    .withAdvice("install it, or ask for one of "
                            + backend.abilities().formats());
        }
        FormatLedger formats = request.formats();
        boolean blank = content.kind() == DeviceContent.Kind.BLANK;
        OpenFormat open = formats.open();
        boolean begun = !blank && open != null && open.fsType().equals(fsType);
        if (!begun) {
            formats.begin(identity, fsType, proof(content));
        }
        context.progress("formatting " + request.device() + " as " + fsType);
        try {
            backend.devices().format(request.device(), identity, fsType, List.of(), context);
        } catch (VolumeException e) {
            if (!begun && e.kind() != FailureKind.UNCERTAIN) {
                closeUnused(formats, e);
            }
            throw e;
        }
        formats.finish();
    }

    private static String proof(DeviceContent content) {
        return content.kind() == DeviceContent.Kind.UNPROVED
                ? "not proved blank, formatted by its signatures: " + content.evidence()
                : content.evidence();
    }

    /**
     * Records the end of a format in which mkfs never began: the device is unchanged, so the permission to overwrite
     * it must not stay.
     */
    private static void closeUnused(FormatLedger formats, VolumeException failure) {
        try {
            formats.finish();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Accepts an existing mount at the target only if it is this device with the requested access. */
    private void confirm(Request request, MountEntry there) {
        if (!request.fsType().isEmpty() && !request.fsType().equals(there.fsType())) {
            throw VolumeException.finalFailure(request.target() + " is mounted as " + there.fsType() + " from "
                    + MessageText.text(there.source()) + " instead of " + request.fsType() + " on " + request.device());
        }
        OpenFormat open = request.formats().open();
        if (open != null) {
            FormatDecision.requireSameDevice(request.device(), backend.devices().identify(request.device()), open);
        }
        backend.mount(filesystem(request, there.fsType()), request.target());
        if (request.readOnly() && !there.readOnly()) {
            throw VolumeException.finalFailure(request.device() + " is mounted writable at " + request.target()
                    + ", but must be mounted read-only");
        }
        if (!request.readOnly() && there.readOnly()) {
            throw VolumeException.transientFailure(request.device() + " is mounted read-only at " + request.target()
                            + ", but must be mounted writable")
                    .withAdvice("the kernel does that by itself after an error of the filesystem: look at its log");
        }
        if (open != null) {
            request.formats().finish();
        }
    }

    private DeviceContent probe(Request request, CallContext context) {
        Path device = request.device();
        try {
            return backend.devices().probe(device, request.blank().readAtMost(), context);
        } catch (VolumeException e) {
            throw e.kind() == FailureKind.TRANSIENT ? e : unreadable(device, e).withAdvice(e.advice());
        } catch (RuntimeException e) {
            throw unreadable(device, e);
        }
    }

    private static VolumeException unreadable(Path device, RuntimeException cause) {
        return VolumeException.transientFailure(
                        device + " could not be read, so it is not treated as blank: " + MessageText.reason(cause))
                .withCause(cause);
    }

    private void requireUnchanged(Path device, DeviceIdentity before) {
        DeviceIdentity now = backend.devices().identify(device);
        if (!now.equals(before)) {
            throw VolumeException.transientFailure(
                    device + " became another device during the check; it was not mounted");
        }
    }

    private static FilesystemMount filesystem(Request request, String fsType) {
        return new FilesystemMount(fsType, request.device().toString(), request.readOnly(), request.options());
    }
}
