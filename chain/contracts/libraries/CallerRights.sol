// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IPolicy} from "../interfaces/IPolicy.sol";
import {IPolicyClient} from "../interfaces/IPolicyClient.sol";
import {ITaskManager} from "../interfaces/ITaskManager.sol";

/// The functions of policies, task managers, registries and other clients that change what belongs to
/// their caller. They are known by selector: a client does not know the addresses of all these contracts.
library CallerRights {
    function changedBy(bytes calldata data) internal pure returns (bool) {
        bytes4 called = bytes4(data);
        return called == IPolicy.setPolicy.selector || called == ITaskManager.validateAttestationDirect.selector
            || called == IPolicyClient.setOwner.selector || called == IPolicyClient.transferOwnership.selector
            || called == IPolicyClient.setPolicy.selector
            // IntentCaller
            || called == bytes4(keccak256("setTargetAllowed(address,bool)"))
            // OperatorRegistry
            || called == bytes4(keccak256("deregisterOperator(bytes32)"))
            // IdentityRegistry
            || called == bytes4(keccak256("registerIdentityData(address,bytes32,string,bytes,uint256)"))
            || called == bytes4(keccak256("revokeLinks(address,address,bytes32[])"))
            // ConfidentialDataRegistry
            || called == bytes4(keccak256("publish(bytes32,string)"))
            || called == bytes4(keccak256("grant(address,bytes32)"))
            || called == bytes4(keccak256("revoke(address,bytes32)"))
            || called == bytes4(keccak256("removeProvider(address)"))
            || called == bytes4(keccak256("setSource(address,string,address,bytes32)"))
            || called == bytes4(keccak256("removeSource(address,string)"));
    }
}
