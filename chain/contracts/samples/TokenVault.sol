// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {IntentTypedData} from "../libraries/IntentTypedData.sol";
import {PolicyClient} from "../PolicyClient.sol";
import {Intent, PolicyConfig, Task, TaskResponse} from "../Types.sol";

/// Holds a token for its depositors and pays only as attested. Tasks must have a threshold of at
/// least 67 % and include quorum 0 (`minimumQuorumThreshold`, `requiredQuorumNumbers`).
contract TokenVault is PolicyClient, EIP712 {
    using SafeERC20 for IERC20;

    error IntentMismatch();
    error InsufficientDeposit(address account, uint256 deposit, uint256 amount);

    event Deposited(address indexed account, uint256 amount);
    event Withdrawn(address indexed account, address indexed recipient, uint256 amount, bytes32 indexed taskId);
    event WithdrawalDenied(address indexed account, bytes32 indexed taskId);

    IERC20 public immutable token;
    mapping(address account => uint256) public depositOf;

    constructor(
        address owner,
        address taskManager,
        address policy,
        PolicyConfig memory config,
        string memory name,
        string memory version,
        IERC20 token_
    ) PolicyClient(owner, taskManager, policy, config) EIP712(name, version) {
        token = token_;
    }

    function deposit(uint256 amount) external {
        depositOf[msg.sender] += amount;
        emit Deposited(msg.sender, amount);
        token.safeTransferFrom(msg.sender, address(this), amount);
    }

    /// Pays from the sender's deposit. The intent must be the token's `transfer` of exactly this
    /// amount to this recipient.
    /// @return allowed false if the policy denied; the attestation is spent nevertheless.
    function withdraw(
        address recipient,
        uint256 amount,
        Task calldata task,
        TaskResponse calldata response,
        bytes calldata signatureData
    ) external returns (bool allowed) {
        _checkIntent(response.intent, recipient, amount);
        uint256 held = depositOf[msg.sender];
        if (held < amount) revert InsufficientDeposit(msg.sender, held, amount);
        allowed = _validateAttestation(task, response, signatureData);
        if (allowed) {
            depositOf[msg.sender] = held - amount;
            emit Withdrawn(msg.sender, recipient, amount, response.taskId);
            token.safeTransfer(recipient, amount);
        } else {
            emit WithdrawalDenied(msg.sender, response.taskId);
        }
    }

    /// The message that the sender of an intent signs.
    function hashIntent(Intent calldata intent) external view returns (bytes32) {
        return _hashTypedDataV4(IntentTypedData.structHash(intent));
    }

    function _checkIntent(Intent calldata intent, address recipient, uint256 amount) private view {
        if (
            intent.to != address(token) || intent.value != 0
                || keccak256(intent.data) != keccak256(abi.encodeCall(IERC20.transfer, (recipient, amount)))
                || keccak256(intent.functionSignature) != keccak256("transfer(address,uint256)")
        ) revert IntentMismatch();
    }
}
