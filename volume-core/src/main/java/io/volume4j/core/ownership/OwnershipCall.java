package io.volume4j.core.ownership;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.HostFiles.Owner;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.OwnershipChange;
import io.volume4j.spi.mount.OwnershipReport;
import io.volume4j.spi.mount.RootedPath;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies a pod's group to its mounted files. Blocks until all files are done, and stops when its call is cancelled.
 * Thread-safe.
 */
public final class OwnershipCall {
    private static final Logger LOG = LoggerFactory.getLogger(OwnershipCall.class);
    private static final OwnershipReport NOTHING = new OwnershipReport(0, 0, 0, "");

    private final MountBackend machine;

    public OwnershipCall(MountBackend machine) {
        this.machine = machine;
    }

    /**
     * Applies the group. Files that already have it stay unchanged.
     *
     * @throws VolumeException final, if the group is not valid; uncertain, if the call was cancelled or storage failed
     *     during the walk
     */
    public OwnershipReport apply(RootedPath target, Ownership ownership, CallContext context) {
        OwnershipChange change;
        try {
            change = OwnershipChange.ofFsGroup(ownership.group(), false);
        } catch (IllegalArgumentException impossible) {
            throw VolumeException.finalFailure("fsGroup " + ownership.group() + ": " + impossible.getMessage())
                    .withAdvice("give the pod an fsGroup from 0 to 4294967294");
        }
        if (machine.table().at(target.absolute()).filter(MountEntry::readOnly).isPresent()) {
            return NOTHING;
        }
        Optional<Owner> root = machine.files().owner(target);
        if (root.isEmpty()) {
            throw VolumeException.transientFailure("nothing is mounted at " + target + " to be given to a group");
        }
        boolean directory = root.get().type() == FileStatus.Type.DIRECTORY;
        if (directory
                && ownership.onlyIfRootDiffers()
                && change.fitsDirectory(root.get().group(), root.get().mode())) {
            return NOTHING;
        }
        OwnershipReport report = machine.files().changeOwnership(target, change, context);
        if (report.refused() > 0) {
            LOG.atWarn()
                    .addKeyValue("path", target)
                    .addKeyValue("group", ownership.group())
                    .addKeyValue("files", report.refused())
                    .addKeyValue("first", report.firstRefusal())
                    .log("files keep their group");
        }
        return report;
    }
}
